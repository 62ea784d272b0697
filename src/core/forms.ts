/** How numbers, amounts, dates and countries are written in a language. */

import type { Instant } from "./clock.ts";
import { placesOf } from "./currencies.ts";
import type { LegalDate } from "./dates.ts";
import type { Language } from "./languages.ts";
import { decimalOf } from "./money.ts";

/** Between thousands, and before the places. */
const marks: Record<Language, { thousands: string; places: string }> = {
  en: { thousands: ",", places: "." },
  de: { thousands: ".", places: "," },
};

/** Returns a decimal string, such as `-1234.50`, in the language's form: `-1,234.50`, `-1.234,50`. */
export function numberIn(language: Language, text: string): string {
  const { thousands, places } = marks[language];
  const [whole = "", fraction] = text.split(".");
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands);
  return fraction === undefined ? grouped : `${grouped}${places}${fraction}`;
}

/** Returns an amount without its currency: `1,234.50`. */
export const amountIn = (language: Language, minor: number, currency: string): string =>
  numberIn(language, decimalOf(minor, placesOf(currency)));

/** Returns an amount with its currency: `1,234.50 EUR`. */
export const moneyIn = (language: Language, minor: number, currency: string): string =>
  `${amountIn(language, minor, currency)} ${currency}`;

/** Returns hundredths without places that are 0: `1,5`, `19`. */
export const shortIn = (language: Language, hundredths: number): string =>
  numberIn(language, decimalOf(hundredths, 2).replace(/\.?0+$/, ""));

/** Returns a date as tables have it: `2026-11-23`, `23.11.2026`. */
export function dateIn(language: Language, date: LegalDate): string {
  return language === "de" ? date.split("-").reverse().join(".") : date;
}

/** Returns the minute of an instant in UTC: 15.06.2026 09:00 UTC. */
export function minuteIn(language: Language, instant: Instant): string {
  const [day = "", time = ""] = instant.split("T");
  return `${dateIn(language, day as LegalDate)} ${time.slice(0, 5)} UTC`;
}

const months: Record<Language, readonly string[]> = {
  en: "January February March April May June July August September October November December".split(" "),
  de: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(" "),
};

/** Returns a date as letters have it: `23 November 2026`, `23. November 2026`. */
export const longDateIn = (language: Language, { day, month, year }: Temporal.PlainDate): string =>
  `${day}${language === "de" ? "." : ""} ${months[language][month - 1]} ${year}`;

const countries: Record<Language, Intl.DisplayNames> = {
  en: new Intl.DisplayNames("en", { type: "region" }),
  de: new Intl.DisplayNames("de", { type: "region" }),
};

/** Returns the name of a country by its code. */
export const countryIn = (language: Language, code: string): string => countries[language].of(code) ?? code;
