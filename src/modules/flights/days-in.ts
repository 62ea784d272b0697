import { isLegalDate, type LegalDate } from "../../core/dates.ts";

const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;
/** As German is written, also with the last two digits of the year. */
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/;

function dayOf(text: string): LegalDate | undefined {
  const [, day = "", month = "", year = ""] = DOTTED.exec(text) ?? [];
  const date = day === "" ? text : `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return ISO.test(date) && isLegalDate(date) ? date : undefined;
}

/** Returns the days that a search names, and its other words. */
export function daysIn(q: string): { days: ReadonlySet<LegalDate>; rest: string } {
  const parts = q.split(/[\s,;]+/).map((text) => ({ text, day: dayOf(text) }));
  return {
    days: new Set(parts.flatMap(({ day }) => day ?? [])),
    rest: parts.flatMap(({ text, day }) => (day === undefined ? [text] : [])).join(" "),
  };
}
