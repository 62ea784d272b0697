/** Which day the board shows, by the address. */
import { today } from "../../app/days.ts";
import { place, setQuery } from "../../app/router.ts";

export type View = "day" | "week";

/** The day of the address, or today. */
export const dayShown = (): string => {
  const day = place.value.query.get("day") ?? "";
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : today();
};

/** Goes to a day and keeps the rest of the address. */
export const showDay = (day: string): void => setQuery({ day: day === today() ? undefined : day });
