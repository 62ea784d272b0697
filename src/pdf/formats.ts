/** Returns minutes as hours and minutes: `12:05`. */
export function hours(minutes: number | null): string {
  if (minutes === null) return "";
  const [whole, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : ""}${whole}:${String(rest).padStart(2, "0")}`;
}

/** Returns the time of day of an instant, in UTC: `08:30`. */
export const clock = (instant: string | null): string => instant?.slice(11, 16) ?? "";
