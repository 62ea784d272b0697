/** Legal dates, `2026-06-15`, counted in days. */
import { dayOf } from "./format.ts";

const DAY = 86_400_000;

/** Days from today in the school until a legal date: negative if it is over. */
export const daysUntil = (day: string): number => Math.round((Date.parse(day) - Date.parse(today())) / DAY);

export const today = (): string => dayOf(new Date());

/** The day so many days ago. */
export const daysAgo = (days: number): string => dayOf(new Date(Date.now() - days * DAY));
