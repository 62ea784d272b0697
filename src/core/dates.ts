/** Calendar dates: `Temporal.PlainDate` in the code, `LegalDate` in columns and on the wire. */

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
