/** What becomes of an offer: somebody books it, or nobody wants it. */
import type { PersonId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { offerFreed } from "./offer.ts";
import { type Freed, offersOf, type WishRow, wishEntity } from "./wishes.queries.ts";

/**
 * Posting: those who have booked what they were offered wait no longer. If somebody else has, they wait on. What is left of
 * an offer is offered again.
 */
export async function settleOffers(
  tx: Tx<"tenant">,
  by: By,
  booked: Freed & { student_ids: readonly PersonId[] },
): Promise<void> {
  for (const wish of await offersOf(tx, booked)) {
    const isTheirs = booked.student_ids.includes(wish.person_id);
    await endOffer(
      tx,
      by,
      wish,
      isTheirs ? { status: "booked", action: "booked" } : { status: "waiting", action: "taken" },
    );
  }
}

const noOffer = {
  offered_until: null,
  offered_start_at: null,
  offered_end_at: null,
  offered_aircraft_id: null,
  offered_instructor_id: null,
} as const;

interface Ending {
  status: Exclude<WishRow["status"], "offered">;
  /** In the audit log. */
  action: string;
  /** Offers it only to those who wait after this wish. */
  after?: string;
}

/** Posting: the wish has another status, and is offered nothing any more. @param action in the audit log */
export const takeBack = (tx: Tx<"tenant">, by: By, { id }: WishRow, status: Ending["status"], action: string) =>
  changeRow(tx, by, wishEntity, {
    id,
    action: `planning_wish.${action}`,
    set: { status, ...noOffer, updated_at: tx.now },
  });

/** Posting: as `takeBack`, and what was offered goes to the next. */
export async function endOffer(
  tx: Tx<"tenant">,
  by: By,
  wish: WishRow,
  { status, action, after }: Ending,
): Promise<void> {
  await takeBack(tx, by, wish, status, action);
  const { offered_start_at, offered_end_at, offered_aircraft_id, offered_instructor_id } = wish;
  if (offered_start_at === null || offered_end_at === null) return;
  const offered = { aircraft_id: offered_aircraft_id, instructor_id: offered_instructor_id };
  await offerFreed(tx, by, { start_at: offered_start_at, end_at: offered_end_at, ...offered }, after);
}
