/** Legal dates, `2026-06-15`, counted in days. */
import { dayOf } from "./format.ts";

const DAY = 86_400_000;

/** Days from today in the school until a legal date: negative if it is over. */
export const daysUntil = (day: string): number => Math.round((Date.parse(day) - Date.parse(today())) / DAY);

export const today = (): string => dayOf(new Date());

/** The same day of a later month, or the last one of a shorter month. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The day so many days ago. */
export const daysAgo = (days: number): string => dayOf(new Date(Date.now() - days * DAY));
