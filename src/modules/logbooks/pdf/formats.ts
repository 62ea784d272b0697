import type { LogbookEntry } from "../logbook.shapes.ts";

export type CrewFunction = LogbookEntry["function"];

export const functionNames: Readonly<Record<CrewFunction, string>> = {
  pic: "PIC",
  solo: "solo",
  spic: "SPIC",
  picus: "PICUS",
  co_pilot: "co-pilot",
  dual: "dual",
  instructor: "instructor",
};

/** Returns minutes as hours and minutes: `12:05`. */
export function hours(minutes: number | null): string {
  if (minutes === null) return "";
  const [whole, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : ""}${whole}:${String(rest).padStart(2, "0")}`;
}

/** Returns the time of day of an instant, in UTC: `08:30`. */
export const clock = (instant: string | null): string => instant?.slice(11, 16) ?? "";

/** Returns the period of a log in words, and its zone. */
export function periodIn({ from, to }: { from?: string | undefined; to?: string | undefined }): string {
  const parts = [from && `from ${minute(from)}`, to && `before ${minute(to)}`].filter(Boolean);
  return `${parts.length === 0 ? "All flights" : `Flights ${parts.join(" and ")}`}. Times and dates are in UTC.`;
}

const minute = (instant: string) => instant.slice(0, 16).replace("T", " ");
