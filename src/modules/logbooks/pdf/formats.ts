import { toLegalDate } from "../../../core/dates.ts";
import { dateIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import type { LogPeriod } from "../logbooks.schemas.ts";
import { textsOf } from "./texts/texts.ts";

/** Returns minutes as hours and minutes: `12:05`. */
export function hours(minutes: number | null): string {
  if (minutes === null) return "";
  const [whole, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : ""}${whole}:${String(rest).padStart(2, "0")}`;
}

/** Returns the time of day of an instant, in UTC: `08:30`. */
export const clock = (instant: string | null): string => instant?.slice(11, 16) ?? "";

/** Returns the period of a log in words, and its zone. */
export function periodIn(language: Language, { from, to }: LogPeriod): string {
  const minute = (instant: string) => {
    const day = Temporal.PlainDate.from(instant.slice(0, 10));
    return `${dateIn(language, toLegalDate(day))} ${clock(instant)}`;
  };
  return textsOf(language).period({ from: from && minute(from), before: to && minute(to) });
}
