/** To whom a cancellation offered what became free. As long as it was booked it was offered to nobody, so what is offered of it now is. */
import type { PlanningSession, PlanningWish } from "../../api/operations.ts";
import { formatDateTime } from "../../app/format.ts";
import { call } from "../../app/session.ts";
import { planningText } from "./words.ts";

/** @returns `undefined` if it can't be read now: what is cancelled stays so, and the waiting list says it later */
export async function saidOfOffers(cancelled: readonly PlanningSession[]): Promise<string | undefined> {
  const { waiting } = planningText();
  const offered = await call("GET /orgs/{orgId}/planning/wishes", { query: { status: "offered", limit: 100 } }).catch(
    () => undefined,
  );
  if (!offered) return undefined;
  const names = offered.data
    .filter((wish) => cancelled.some((session) => isOf(wish, session)))
    .map(({ person_name, offered_until }) => waiting.offerOf(person_name, formatDateTime(offered_until ?? "")));
  return names.length > 0 ? waiting.offeredTo(names.join(", ")) : waiting.fitsNobody;
}

/** Whether what is offered is in the time of a session, with its aircraft or its instructor. */
function isOf(wish: PlanningWish, { start_at, end_at, aircraft_id, instructor_id }: PlanningSession): boolean {
  const { offered_start_at: from, offered_end_at: to } = wish;
  if (from === null || to === null || from >= end_at || to <= start_at) return false;
  const isSame = (one: string | null, other: string | null) => one !== null && one === other;
  return isSame(wish.offered_aircraft_id, aircraft_id) || isSame(wish.offered_instructor_id, instructor_id);
}
