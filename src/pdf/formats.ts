import { numberIn } from "../core/forms.ts";
import type { Language } from "../core/languages.ts";

/** Returns minutes as hours and minutes: `12:05`. */
export function hours(minutes: number | null): string {
  if (minutes === null) return "";
  const [whole, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : ""}${whole}:${String(rest).padStart(2, "0")}`;
}

/** Returns minutes as hours and minutes in the language's form: `1,320:36`. */
export function hoursIn(language: Language, minutes: number): string {
  const [whole = "", rest] = hours(minutes).split(":");
  return `${numberIn(language, whole)}:${rest}`;
}

/** Returns the time of day of an instant, in UTC: `08:30`. */
export const clock = (instant: string | null): string => instant?.slice(11, 16) ?? "";
