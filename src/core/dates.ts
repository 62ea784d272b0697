/** Calendar dates: `Temporal.PlainDate` in the code, `LegalDate` in columns and on the wire. */
import { days } from "./clock.ts";
import { onceEach } from "./once.ts";

declare const legalDate: unique symbol;

/** A calendar date as stored and sent: `YYYY-MM-DD`. Valid through that day. Dates sort as strings. */
export type LegalDate = string & { readonly [legalDate]: true };

/** @param date in the years 0000 to 9999: other years are not written with four digits */
export const toLegalDate = (date: Temporal.PlainDate): LegalDate => date.toString() as LegalDate;

/** Returns whether `text` is `YYYY-MM-DD` and the calendar has that day. */
export function isLegalDate(text: string): text is LegalDate {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: "reject" });
    return true;
  } catch {
    return false; // a RangeError: the calendar does not have that day
  }
}

/** Returns the calendar date in a time zone at a moment. @throws RangeError the runtime does not know the zone */
export const dateIn = (timeZone: string, moment: Date): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();

/**
 * As `dateIn`, of many moments: it asks the runtime for the offset once for each time between two changes of the clocks, and returns
 * the same object for the same date.
 */
export function datesIn(timeZone: string): (moment: Date) => Temporal.PlainDate {
  const spans: Span[] = [];
  const dateOf = onceEach((day: number) => new Temporal.PlainDate(1970, 1, 1).add({ days: day }));
  return (moment) => {
    const at = moment.getTime();
    let span = spans.find(({ from, until }) => from <= at && at < until);
    if (span === undefined) {
      span = spanAround(at, timeZone);
      spans.push(span);
    }
    return dateOf(Math.floor((at + span.offset) / days(1)));
  };
}

/** The time between two changes of the clocks. In milliseconds. */
interface Span {
  from: number;
  until: number;
  offset: number;
}

function spanAround(at: number, timeZone: string): Span {
  const moment = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  // The last change before the next millisecond: one at this moment has been made.
  const before = moment.add({ milliseconds: 1 }).getTimeZoneTransition("previous");
  const after = moment.getTimeZoneTransition("next");
  return {
    from: before?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: after?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: moment.offsetNanoseconds / 1_000_000,
  };
}
