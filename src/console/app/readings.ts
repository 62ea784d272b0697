/** Readings of counters as they are typed. */
import { formatDuration } from "./format.ts";

/** Hours with at most two places, after a point or a comma. */
export const hoursPattern = "[0-9]+([.,][0-9]{1,2})?";

/** Hours and minutes, of an airframe: `1234:30`. */
export const durationPattern = "[0-9]+:[0-5][0-9]";

/** Hours as the API has them: `1234.50`. */
export const readHours = (typed: string): string => Number(typed.replace(",", ".")).toFixed(2);

export function readDuration(typed: string): number {
  const [hours = "0", minutes = "0"] = typed.split(":");
  return Number(hours) * 60 + Number(minutes);
}

/** A difference with its sign: `+5.75`, `−0:30`. */
export const signed = (said: string, isNegative: boolean): string => `${isNegative ? "−" : "+"}${said}`;

export const signedDuration = (minutes: number): string => signed(formatDuration(Math.abs(minutes)), minutes < 0);
