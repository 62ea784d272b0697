import { expect, test } from "bun:test";
import fc from "fast-check";
import { dateIn, datesIn, isLegalDate, toLegalDate } from "../../src/core/dates.ts";

const twoDigits = (value: number) => String(value).padStart(2, "0");
const dateText = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;

test("isLegalDate accepts only days of the Gregorian calendar", () => {
  const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const daysIn = (year: number, month: number) =>
    [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  fc.assert(
    fc.property(fc.nat(9999), fc.nat(14), fc.nat(33), (year, month, day) => {
      expect(isLegalDate(dateText(year, month, day))).toBe(day >= 1 && day <= daysIn(year, month));
    }),
    { examples: [1900, 2000, 2024, 2025].map((year): [number, number, number] => [year, 2, 29]) },
  );
});

test.each([
  "20250614",
  "2025-6-14",
  "2025-06-14T00:00",
  "2025-06-14[u-ca=gregory]",
  "2025-165",
  "2025-W24-6",
  "+002025-06-14",
  " 2025-06-14",
  "2025-06-14\n",
  "٢٠٢٥-٠٦-١٤",
  "",
])("isLegalDate rejects %p", (text) => {
  expect(isLegalDate(text)).toBeFalse();
});

const day = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });

test("toLegalDate writes the format of isLegalDate, and legal dates sort as strings", () => {
  const written = (date: Temporal.PlainDate) => String(toLegalDate(date));
  fc.assert(
    fc.property(day, day, (first, second) => {
      const [a, b] = [dateIn("UTC", first), dateIn("UTC", second)];
      expect([isLegalDate(written(a)), Temporal.PlainDate.from(written(a)).equals(a)]).toEqual([true, true]);
      expect(written(a) < written(b)).toBe(Temporal.PlainDate.compare(a, b) < 0);
    }),
  );
});

test.each([
  ["2026-06-13T23:30:00Z", "UTC", "2026-06-13"],
  ["2026-06-13T23:30:00Z", "Europe/Berlin", "2026-06-14"],
  ["2026-06-13T23:30:00Z", "America/New_York", "2026-06-13"],
  ["2026-06-13T10:00:00Z", "Pacific/Kiritimati", "2026-06-14"],
  ["2026-06-14T10:59:59.999Z", "Pacific/Pago_Pago", "2026-06-13"],
  // Midnight in Berlin is 23:00 UTC before the change to summer time on 29 March, and 22:00 UTC after it.
  ["2026-03-28T22:59:59.999Z", "Europe/Berlin", "2026-03-28"],
  ["2026-03-28T23:00:00Z", "Europe/Berlin", "2026-03-29"],
  ["2026-03-29T21:59:59.999Z", "Europe/Berlin", "2026-03-29"],
  ["2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-30"],
  // The day of the change back, 25 October, has 25 hours.
  ["2026-10-24T22:00:00Z", "Europe/Berlin", "2026-10-25"],
  ["2026-10-25T22:59:59.999Z", "Europe/Berlin", "2026-10-25"],
  ["2026-10-25T23:00:00Z", "Europe/Berlin", "2026-10-26"],
  // Samoa skipped 30 December 2011 when it crossed the date line.
  ["2011-12-30T09:59:59.999Z", "Pacific/Apia", "2011-12-29"],
  ["2011-12-30T10:00:00Z", "Pacific/Apia", "2011-12-31"],
])("at %s the date in %s is %s", (moment, zone, date) => {
  expect(dateIn(zone, new Date(moment)).toString()).toBe(date);
});

test("datesIn has the date of dateIn for each of many moments, also around changes of the clocks, and one object for a date", () => {
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "America/St_Johns", "Pacific/Apia", "Asia/Kathmandu"];
  // Clocks change: in Berlin at 1:00 UTC, in Newfoundland back over midnight, in Samoa over a whole day.
  const changes = ["2026-03-29T01:00Z", "2026-10-25T01:00Z", "2010-11-07T02:31Z", "2011-12-30T10:00Z"];
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -100_000_000, max: 100_000_000 }))
    .map(([change, by]) => new Date(Date.parse(change) + by));
  const at = fc.constantFrom(...changes).map((change) => new Date(change));
  const any = fc.date({ min: new Date("1800-01-01"), max: new Date("2199-12-31"), noInvalidDate: true });
  const moments = fc.array(fc.oneof(at, near, any), { maxLength: 20 });
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (zone, all) => {
      const dateOf = datesIn(zone);
      expect(all.map((moment) => String(dateOf(moment)))).toEqual(all.map((moment) => String(dateIn(zone, moment))));
      for (const moment of all) expect(dateOf(moment)).toBe(dateOf(new Date(moment)));
    }),
  );
});
