/** Offers what became free to the first who waits for such a thing. */
import { yieldToEventLoop } from "../../../core/async.ts";
import { hours, minutes, shift } from "../../../core/clock.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { queueMailTo } from "../../mails/queue-mails.ts";
import type { Finding, Interval } from "../rules/booking.ts";
import { findClashes } from "../rules/find-clashes.ts";
import { freeFor } from "../rules/free-time.ts";
import { earlier, later, without } from "../rules/intervals.ts";
import { bufferOf } from "../rules/overlaps.ts";
import { hasEnough, startsFor } from "../sessions/may-book.ts";
import { resourcesOf } from "../sessions/resources-of.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { settingsOf } from "../settings/settings.ts";
import type { Freed } from "./wishes.queries.ts";
import { firstWaiting, type WishRow, wishEntity } from "./wishes.queries.ts";

/**
 * Posting: as `offerFreed`, one after the other.
 *
 * @param all sessions as they were before they were moved or cancelled @returns how many offers
 */
export async function offerAll(tx: Tx<"tenant">, by: By, all: readonly Freed[]): Promise<number> {
  let offers = 0;
  for (const freed of all) {
    offers += await offerFreed(tx, by, freed);
    await yieldToEventLoop();
  }
  return offers;
}

/**
 * Posting: offers it to the first whose wish it fits, as far as it is free and they may still book it, and what that leaves to the
 * next. If not both are free: the aircraft or the instructor alone.
 *
 * @param after only to those who wait after this wish @returns how many offers
 */
export async function offerFreed(tx: Tx<"tenant">, by: By, freed: Freed, after = ""): Promise<number> {
  const { aircraft_id, instructor_id, end_at } = freed;
  const settings = await settingsOf(tx);
  const whole = { start_at: later(freed.start_at, startsFor(settings, tx.now).earliest), end_at };
  if (whole.start_at >= end_at || (aircraft_id ?? instructor_id) === null) return 0;
  const both = { aircraft_id, instructor_id };
  const alone = [
    { aircraft_id, instructor_id: null },
    { aircraft_id: null, instructor_id },
  ];
  const all = aircraft_id === null || instructor_id === null ? [both] : [both, ...alone];
  for (const what of all) {
    let offers = 0;
    const free = await freeFor(tx, what, whole, settings);
    for (let interval = free.shift(); interval; interval = free.shift()) {
      const offered = await offer(tx, by, { ...what, ...interval }, settings, after);
      if (offered === undefined) continue;
      offers += 1;
      free.unshift(...without(interval, [apartFrom(offered, settings)]));
    }
    if (offers > 0) return offers;
  }
  return 0;
}

/** With what must be free before and after a booking. */
function apartFrom({ start_at, end_at }: Interval, settings: Settings): Interval {
  const buffer = Math.max(bufferOf("aircraft", settings), bufferOf("instructor", settings));
  return { start_at: shift(start_at, -buffer), end_at: shift(end_at, buffer) };
}

/** Returns what of it is offered to somebody. */
async function offer(
  tx: Tx<"tenant">,
  by: By,
  freed: Freed,
  settings: Settings,
  after: string,
): Promise<Interval | undefined> {
  for (let wish = await firstWaiting(tx, freed, after); wish; wish = await firstWaiting(tx, freed, wish.id)) {
    if (await hasEnough(tx, wish.person_id, settings, tx.now)) continue;
    const offered = await offerTo(tx, by, wish, freed, settings);
    if (offered !== "unfit") return offered;
    await yieldToEventLoop();
  }
  return undefined;
}

const endOf = (wish: WishRow, start_at: Freed["start_at"]) => shift(start_at, minutes(wish.minutes));

/**
 * Offers it at the first time at which the person, too, is there and not booked, with the instructor whom the wish names if that one is
 * free then.
 *
 * @returns what is offered; undefined if it is not in order, which is so for all
 */
async function offerTo(
  tx: Tx<"tenant">,
  by: By,
  wish: WishRow,
  freed: Freed,
  settings: Settings,
): Promise<Interval | undefined | "unfit"> {
  const { latest } = startsFor(settings, tx.now);
  const wanted = { ...freed, instructor_id: wish.instructor_id ?? freed.instructor_id };
  const window = { start_at: later(wish.from_at, freed.start_at), end_at: earlier(wish.until_at, freed.end_at) };
  for (const interval of await freeFor(tx, { ...wanted, student_id: wish.person_id }, window, settings)) {
    const end_at = endOf(wish, interval.start_at);
    if (end_at > interval.end_at || (latest !== null && interval.start_at > latest)) continue;
    const blocking = await against(tx, { ...wanted, ...interval, end_at }, settings);
    if (blocking.length === 0) return write(tx, by, wish, { ...wanted, ...interval }, settings);
    // How long an instructor is on duty depends on the wish, and another instructor is not what became free.
    if (wanted.instructor_id === freed.instructor_id && blocking.some(({ rule }) => rule !== "duty")) return undefined;
  }
  return "unfit";
}

/** Returns why the aircraft and the instructor can't be booked then. */
async function against(tx: Tx<"tenant">, freed: Freed, settings: Settings): Promise<Pick<Finding, "rule">[]> {
  const kind = freed.instructor_id === null ? "flight" : "lesson";
  const booking = { ...freed, kind, room_id: null, lesson_id: null, night: false, student_ids: [] } as const;
  const { unusable, ...named } = await resourcesOf(tx, booking);
  if (unusable.length > 0) return [{ rule: "unusable" }];
  const findings = await findClashes(tx, { booking, ...named, settings });
  return findings.filter(({ action }) => action === "block");
}

async function write(
  tx: Tx<"tenant">,
  by: By,
  wish: WishRow,
  { start_at, end_at, aircraft_id, instructor_id }: Freed,
  { offer_hours, min_hours_ahead }: Settings,
): Promise<Interval> {
  const lastStart = shift(end_at, -minutes(wish.minutes));
  await changeRow(tx, by, wishEntity, {
    id: wish.id,
    action: "planning_wish.offered",
    set: {
      status: "offered",
      offered_start_at: start_at,
      offered_end_at: end_at,
      offered_aircraft_id: aircraft_id,
      offered_instructor_id: instructor_id,
      offered_until: earlier(shift(tx.now, hours(offer_hours)), shift(lastStart, -hours(min_hours_ahead ?? 0))),
      updated_at: tx.now,
    },
  });
  await queueMailTo(tx, wish.person_id, { kind: "planning", alert: "time_free", subject_id: wish.id });
  return { start_at, end_at };
}
