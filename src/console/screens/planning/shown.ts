/** Which day the board shows, by the address. */
import { today } from "../../app/days.ts";
import { dayOf } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
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

/** Where a booking for a person begins. */
export const newBookingFor = (personId: string): string => `/app/planning?open=new&person=${personId}`;

/** Parts of the board that have an address, with what they need besides reading the plan. */
const parts = { new: "planning:manage", weather: "planning:manage", waiting: undefined, hours: undefined } as const;
type Part = keyof typeof parts;
const isPart = (name: string): name is Part => name in parts;

/** What the address opens over the board. */
export function openedByAddress(): { kind: "details"; id: string } | { kind: Part; student?: string } | undefined {
  const { query } = place.peek();
  const id = query.get("booking");
  if (id !== null) return { kind: "details", id };
  const name = query.get("open") ?? "";
  if (!isPart(name)) return undefined;
  const needed = parts[name];
  if (needed !== undefined && !may(needed)) return undefined;
  const student = query.get("person");
  return { kind: name, ...(name === "new" && student !== null && { student }) };
}

/** A booking that is open is in the address: the way back and a link lead to it. */
export const showBooking = (booking: string): void => setQuery({ booking });

export const showNothingOpened = (): void => {
  if (openedByAddress()) setQuery({ booking: undefined, open: undefined, person: undefined });
};

/** Goes to a day and keeps the rest of the address. */
export const showDay = (day: string): void => setQuery({ day: day === today() ? undefined : day });
