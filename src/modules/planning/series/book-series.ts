import { authorize } from "../../../core/actor.ts";
import { yieldToEventLoop } from "../../../core/async.ts";
import { type Clash, invalid, Problem } from "../../../core/errors.ts";
import { newIdAt } from "../../../core/ids.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { dryRun } from "../../../storage/dry-run.ts";
import type { Tx } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import { book, tellBooked } from "../sessions/book-session.ts";
import type { Session } from "../sessions/sessions.shapes.ts";
import { settingsOf } from "../settings/settings.ts";
import { occurrences } from "./occurrences.ts";
import { type BookedSeries, longestSeries, type NewSeries } from "./series.schemas.ts";

/**
 * Books a series of sessions in one transaction.
 *
 * @throws VALIDATION_ERROR, FORBIDDEN; CONFLICT with all that is against those that can't be booked
 */
export async function bookSeries(context: InOrganization, input: NewSeries): Promise<BookedSeries> {
  authorize(context.actor, "planning:book", "planning:manage");
  const bookThem = (tx: Tx<"tenant">) => bookAll(tx, context, input);
  return input.dry_run ? dryRun(context.tenant, bookThem) : context.tenant.write(bookThem);
}

async function bookAll(tx: Tx<"tenant">, context: InOrganization, input: NewSeries): Promise<BookedSeries> {
  const { from_on, until_on, count, weekdays, from_time, minutes, on_conflict, dry_run, ...content } = input;
  const times = occurrences({ from_on, until_on, count, weekdays, from_time, minutes }, await timeZoneOf(tx));
  if (times.length === 0)
    throw invalid({ path: "weekdays", code: "impossible", message: "None of these days is in the period." });
  if (times.length > longestSeries)
    throw invalid({
      path: "until_on",
      code: "too_many",
      params: { max: longestSeries },
      message: `A series has at most ${longestSeries} sessions.`,
    });
  const settings = await settingsOf(tx);
  const series_id = newIdAt<"series">(tx.now);
  const sessions: Session[] = [];
  const conflicts: Clash[] = [];
  for (const interval of times) {
    try {
      sessions.push((await book(tx, context, { ...content, ...interval }, { settings, series_id })).value);
    } catch (error) {
      // Nothing of it was written: all is checked before.
      if (!(error instanceof Problem) || !isAgainstOne(error)) throw error;
      const limit = { rule: "booking_limited", message: error.message, resource: null, session_id: null, ...interval };
      conflicts.push(...(error.conflicts ?? [limit]));
    }
    await yieldToEventLoop();
  }
  const [first] = conflicts;
  if (first && on_conflict === "refuse" && !dry_run) {
    const not = times.length - sessions.length;
    const message = `${not} of ${times.length} sessions can't be booked. ${first.message} Book the others with "on_conflict": "skip".`;
    throw new Problem("CONFLICT", message, { reason: "booking_conflicts", conflicts });
  }
  await tellBooked(tx, sessions);
  return { series_id, sessions, conflicts };
}

/** Whether another session of the series may be booked nevertheless. */
const isAgainstOne = ({ reason }: Problem) => reason === "booking_conflicts" || reason === "booking_limited";
