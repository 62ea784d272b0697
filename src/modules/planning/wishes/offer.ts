/** Offers what became free to the first who waits for such a thing. */
import { and, eq, gt, inArray, lt } from "drizzle-orm";
import { hours, minutes, shift } from "../../../core/clock.ts";
import type { AircraftId, PersonId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { queueMailsTo } from "../../notifications/mails/queue-mails.ts";
import { planningWishes as table } from "../planning.tables.ts";
import type { Interval } from "../rules/booking.ts";
import { earlier, later } from "../rules/intervals.ts";
import { takenBy } from "../rules/overlaps.ts";
import { settingsOf } from "../settings/settings.ts";
import { typeOf, type WishRow, waitingFor, wishEntity } from "./wishes.queries.ts";

export interface Freed extends Interval {
  aircraft_id: AircraftId | null;
  instructor_id: PersonId | null;
}

/**
 * Posting: offers it to the first whose wish it fits, unless it is taken again or over.
 *
 * @param after only to those who wait after this wish
 */
export async function offerFreed(tx: Tx<"tenant">, by: By, freed: Freed, after = ""): Promise<void> {
  const start_at = later(freed.start_at, tx.now);
  const { aircraft_id, instructor_id, end_at } = freed;
  if (start_at >= end_at || (await isTaken(tx, freed))) return;
  const type = aircraft_id === null ? null : await typeOf(tx, aircraft_id);
  const wishes = await waitingFor(tx, { start_at, end_at }, after);
  const first = wishes.find((wish) => fits(wish, { start_at, end_at, type, instructor_id }));
  if (first === undefined) return;
  const { offer_hours } = await settingsOf(tx);
  const latest = shift(tx.now, hours(offer_hours));
  await changeRow(tx, by, wishEntity, {
    id: first.id,
    action: "planning_wish.offered",
    set: {
      ...{ status: "offered", offered_start_at: freed.start_at, offered_end_at: end_at },
      ...{ offered_aircraft_id: aircraft_id, offered_instructor_id: instructor_id },
      offered_until: earlier(latest, end_at),
      updated_at: tx.now,
    },
  });
  await queueMailsTo(tx, [first.person_id], { kind: "planning", alert: "time_free", subject_id: first.id });
}

async function isTaken(tx: Tx<"tenant">, { aircraft_id, instructor_id, ...interval }: Freed): Promise<boolean> {
  for (const id of [aircraft_id, instructor_id])
    if (id !== null && (await takenBy(tx, id, interval)).length > 0) return true;
  return false;
}

interface Offer extends Interval {
  type: string | null;
  instructor_id: PersonId | null;
}

function fits(wish: WishRow, { start_at, end_at, type, instructor_id }: Offer): boolean {
  const from = later(wish.from_at, start_at);
  const until = earlier(wish.until_at, end_at);
  return (
    shift(from, minutes(wish.minutes)) <= until &&
    (wish.icao_type === null || wish.icao_type === type) &&
    (wish.instructor_id === null || wish.instructor_id === instructor_id)
  );
}

/** Posting: who has booked what they were offered does not wait any more. */
export async function fulfil(tx: Tx<"tenant">, by: By, students: readonly PersonId[], booked: Interval): Promise<void> {
  if (students.length === 0) return;
  const wishes = await tx
    .select()
    .from(table)
    .where(
      and(
        inArray(table.person_id, [...students]),
        eq(table.status, "offered"),
        lt(table.offered_start_at, booked.end_at),
        gt(table.offered_end_at, booked.start_at),
      ),
    );
  const set = { status: "booked", updated_at: tx.now } as const;
  for (const { id } of wishes) await changeRow(tx, by, wishEntity, { id, action: "planning_wish.booked", set });
}

const noOffer = {
  offered_until: null,
  offered_start_at: null,
  offered_end_at: null,
  offered_aircraft_id: null,
  offered_instructor_id: null,
} as const;

/** Posting: the person waits on or no longer, and what they were offered goes to the next. */
export async function passOn(
  tx: Tx<"tenant">,
  by: By,
  wish: WishRow,
  status: "waiting" | "withdrawn",
  action: string,
): Promise<void> {
  await changeRow(tx, by, wishEntity, {
    id: wish.id,
    action: `planning_wish.${action}`,
    set: { status, ...noOffer, updated_at: tx.now },
  });
  const { offered_start_at, offered_end_at, offered_aircraft_id, offered_instructor_id } = wish;
  if (wish.status !== "offered" || offered_start_at === null || offered_end_at === null) return;
  const freed = { start_at: offered_start_at, end_at: offered_end_at };
  await offerFreed(
    tx,
    by,
    { ...freed, aircraft_id: offered_aircraft_id, instructor_id: offered_instructor_id },
    wish.id,
  );
}
