import { dayOf, formatTime, formatWeekday } from "../../app/format.ts";

/** Mon 15 June, 14:00–15:30 */
export const spanOf = (start: string, end: string): string =>
  `${formatWeekday(dayOf(new Date(start)))}, ${formatTime(start)}–${formatTime(end)}`;
