import { dayOf, formatTime, formatWeekday } from "../../app/format.ts";

/** Keeps the times on one line. */
const joiner = "\u2060";

/** Mon 15 June, 14:00–15:30 */
export const spanOf = (start: string, end: string): string =>
  `${formatWeekday(dayOf(new Date(start)))}, ${formatTime(start)}${joiner}–${joiner}${formatTime(end)}`;
