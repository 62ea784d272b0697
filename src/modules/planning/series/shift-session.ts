import { authorize } from "../../../core/actor.ts";
import { yieldToEventLoop } from "../../../core/async.ts";
import { type Instant, shift, toInstant } from "../../../core/clock.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import type { PlanningSessionId } from "../planning.tables.ts";
import { announce, move } from "../sessions/move-session.ts";
import { requireStatus } from "../sessions/session-states.ts";
import { requireVisible, sessionEntity } from "../sessions/sessions.queries.ts";
import type { Shift } from "../sessions/sessions.schemas.ts";
import type { Session } from "../sessions/sessions.shapes.ts";
import { release } from "../sessions/take-up.ts";
import { settingsOf } from "../settings/settings.ts";
import { followingOf } from "./following.queries.ts";

/**
 * Moves a session to another start, or it and the later ones of its series by as many local days and to the same local time.
 * All or none.
 *
 * @throws as `changeSession`
 */
export async function shiftSession(
  context: InOrganization,
  { sessionId, start_at, scope }: Shift & { sessionId: PlanningSessionId },
): Promise<JsonOf<Session>> {
  const { actor, tenant } = context;
  authorize(actor, "planning:book", "planning:manage");
  return tenant.write(async (tx) => {
    await requireVisible(tx, sessionId, actor);
    const row = await sessionEntity.row(tx, { sessionId });
    requireStatus(row, "requested", "planned");
    const rows = scope === "following" ? await followingOf(tx, row) : [row];
    const [settings, timeZone] = [await settingsOf(tx), await timeZoneOf(tx)];
    // What they leave is free for the others.
    for (const one of rows) await release(tx, one.id);
    const moves: Awaited<ReturnType<typeof move>>[] = [];
    for (const one of rows) {
      const start = one.id === sessionId ? start_at : shifted(one.start_at, row.start_at, start_at, timeZone);
      const end_at = shift(start, Date.parse(one.end_at) - Date.parse(one.start_at));
      moves.push(await move(tx, context, one, { start_at: start, end_at }, settings));
      await yieldToEventLoop();
    }
    await announce(tx, context, moves);
    return sessionEntity.read(tx, sessionId);
  });
}

/** Returns `at`, as many local days later as `to` is after `from`, and at the local time of `to`. */
export function shifted(at: Instant, from: Instant, to: Instant, timeZone: string): Instant {
  const local = (instant: Instant) => Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  const days = local(from).toPlainDate().until(local(to).toPlainDate(), { largestUnit: "days" });
  const date = local(at).toPlainDate().add(days);
  const zoned = date.toZonedDateTime({ timeZone, plainTime: local(to).toPlainTime() });
  return toInstant(new Date(zoned.epochMilliseconds));
}
