/** Readings of counters as they are typed. */

/** As the console writes hours: `1.234,50`. With both marks, nobody can take thousands for decimals. */
const grouped = String.raw`\d{1,3}(\.\d{3})+,\d{1,2}|\d{1,3}(,\d{3})+\.\d{1,2}`;

/** Hours with at most two places, after a point or a comma. */
export const hoursPattern = String.raw`\d+([.,]\d{1,2})?|${grouped}`;

/** Hours and minutes of an airframe, `1234:30` or `1.234:30`, or hours with their decimals: `12` alone could be either. */
export const durationPattern = String.raw`(\d+|\d{1,3}([.,]\d{3})+):[0-5]\d|\d+[.,]\d{1,2}|${grouped}`;

/** A whole number, which may have its thousands marked: `5.432`. */
export const countPattern = String.raw`\d+|\d{1,3}([.,]\d{3})+`;

/** Hours as the API has them: `1234.50`. What stands before the last mark are thousands. */
export function readHours(typed: string): string {
  const parts = typed.trim().split(/[.,]/);
  const places = parts.length > 1 ? parts.pop() : "0";
  return Number(`${parts.join("")}.${places}`).toFixed(2);
}

/** Minutes. */
export function readDuration(typed: string): number {
  if (!typed.includes(":")) return Math.round(Number(readHours(typed)) * 60);
  const [hours = "0", minutes = "0"] = typed.split(":");
  return readCount(hours) * 60 + Number(minutes);
}

export const readCount = (typed: string): number => Number(typed.replaceAll(/[.,]/g, ""));
