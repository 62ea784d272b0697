/** Which day the board shows, by the address. */
import { today } from "../../app/days.ts";
import { dayOf } from "../../app/format.ts";
import { place, setQuery } from "../../app/router.ts";

export type View = "day" | "week";

/** The day of the address, or today. */
export const dayShown = (): string => {
  const day = place.value.query.get("day") ?? "";
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : today();
};

/** Where the board opens a booking. */
export const addressOf = ({ id, start_at }: { id: string; start_at: string }): string =>
  `/app/planning?day=${dayOf(new Date(start_at))}&booking=${id}`;

export const waitingListAddress = "/app/planning?open=waiting";

/** What the address opens over the board. */
export function openedByAddress(): { kind: "details"; id: string } | { kind: "waiting" } | undefined {
  const { query } = place.peek();
  const id = query.get("booking");
  if (id !== null) return { kind: "details", id };
  return query.get("open") === "waiting" ? { kind: "waiting" } : undefined;
}

/** Goes to a day and keeps the rest of the address. */
export const showDay = (day: string): void => setQuery({ day: day === today() ? undefined : day });
