import { authorize } from "../../../core/actor.ts";
import { yieldToEventLoop } from "../../../core/async.ts";
import { conflict } from "../../../core/errors.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { dryRun } from "../../../storage/dry-run.ts";
import type { Tx } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import { localInstant } from "../rules/presence.ts";
import { cancel, tellCancelled } from "../sessions/cancel-session.ts";
import type { Session } from "../sessions/sessions.shapes.ts";
import { settingsOf } from "../settings/settings.ts";
import { offerAll } from "../wishes/offer.ts";
import { type Cancelled, most, type NewCancellations } from "./cancellations.schemas.ts";
import { cancellable } from "./matching.queries.ts";

/**
 * Cancels the sessions of a day that a filter matches, with one reason, as on a day without flying weather: all or none. What has
 * been checked in stays.
 *
 * @throws CONFLICT more than one request may cancel
 */
export function cancelMatching(context: InOrganization, input: NewCancellations): Promise<Cancelled> {
  authorize(context.actor, "planning:manage");
  const cancelThem = (tx: Tx<"tenant">) => cancelAll(tx, context, input);
  return input.dry_run ? dryRun(context.tenant, cancelThem) : context.tenant.write(cancelThem);
}

async function cancelAll(
  tx: Tx<"tenant">,
  by: InOrganization,
  { on, from_time, to_time, reason, note, offers, ...filter }: NewCancellations,
): Promise<Cancelled> {
  const [timeZone, day] = [await timeZoneOf(tx), Temporal.PlainDate.from(on)];
  const interval = {
    start_at: localInstant(timeZone, day, from_time),
    end_at: localInstant(timeZone, day, to_time),
  };
  const rows = await cancellable(tx, interval, filter);
  if (rows.length > most)
    throw conflict("limit_reached", `One request cancels at most ${most} sessions. Narrow the time.`, { max: most });
  const settings = await settingsOf(tx);
  const sessions: Session[] = [];
  for (const row of rows) {
    sessions.push((await cancel(tx, by, row, { reason, note }, settings)).value);
    await yieldToEventLoop();
  }
  await tellCancelled(tx, rows);
  return { sessions, offered: offers ? await offerAll(tx, by, rows) : 0 };
}
