/**
 * Times, durations, counters and money, as the language writes them. Times are in the school's zone, or in UTC while `inUtc` is set.
 * A formatter is kept: making one takes as long as formatting a hundred values.
 */
import { computed, signal } from "@preact/signals";
import { placesOf } from "../../core/currencies.ts";
import { kept } from "./kept.ts";
import { language } from "./language.ts";
import { clockAt } from "./local-time.ts";
import { organization } from "./session.ts";

/** Whether times are shown in UTC. */
export const inUtc = signal(false);

/** Of an account without a school. */
const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone in which times are shown and typed. */
export const zone = (): string => (inUtc.value ? "UTC" : (organization.value?.time_zone ?? ownZone));
/** English dates have the day first, and 24 hours: as aviation writes them in Europe. */
const locale = (): string => (language.value === "de" ? "de-DE" : "en-GB");

const formats = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>();

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `date ${locale()} ${JSON.stringify(options)}`;
  const format = formats.get(name) ?? new Intl.DateTimeFormat(locale(), { hourCycle: "h23", ...options });
  formats.set(name, format);
  return format as Intl.DateTimeFormat;
}

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = `number ${locale()} ${JSON.stringify(options)}`;
  const format = formats.get(name) ?? new Intl.NumberFormat(locale(), options);
  formats.set(name, format);
  return format as Intl.NumberFormat;
}

/**
 * The same few days and times stand in many places of a board, and are said again with each step of what is dragged. What was said is
 * kept until the language or the zone is another one.
 */
function remembered<Name>(inPresent: () => (name: Name) => string): (name: Name) => string {
  const said = computed(() => kept(inPresent(), 1000));
  return (name) => said.value(name);
}

const numeric = { day: "2-digit", month: "2-digit", year: "numeric" } as const;

/** A legal date, `2026-06-15`: 15.06.2026 or 15/06/2026. */
export const formatDay = (day: string): string => dateFormat({ ...numeric, timeZone: "UTC" }).format(new Date(day));

/** The month of a legal date: Juni 26 or Jun 26. */
export const formatMonth = (day: string): string =>
  dateFormat({ month: "short", year: "2-digit", timeZone: "UTC" }).format(new Date(day));

/** A legal date with its weekday: Mo., 15. Juni or Mon 15 June. */
export const formatWeekday = remembered<string>(() => {
  const format = dateFormat({ weekday: "short", day: "numeric", month: "long", timeZone: "UTC" });
  return (day) => format.format(new Date(day));
});

/** A day of the week: Monday or Montag. @param weekday 1 is Monday */
export const formatDayName = (weekday: number, length: "long" | "short" = "long"): string =>
  // 1 January 2024 was a Monday.
  dateFormat({ weekday: length, timeZone: "UTC" }).format(new Date(Date.UTC(2024, 0, weekday)));

/** The day of an instant in the school. */
export const formatDate = (instant: string): string =>
  dateFormat({ ...numeric, timeZone: zone() }).format(new Date(instant));

/** The same with its weekday, short: Mo., 15.06.2026 or Mon, 15/06/2026. */
export const formatDateWithDay = (instant: string): string =>
  dateFormat({ weekday: "short", ...numeric, timeZone: zone() }).format(new Date(instant));

/** The time of an instant in the school: 14:05. In UTC with the `Z` that aviation writes. */
export const formatTime = remembered<string>(() => {
  const format = dateFormat({ hour: "2-digit", minute: "2-digit", timeZone: zone() });
  const end = inUtc.value ? "Z" : "";
  return (instant) => `${format.format(new Date(instant))}${end}`;
});

export const formatDateTime = (instant: string): string => `${formatDate(instant)} ${formatTime(instant)}`;

/** Minutes as hours and minutes: 1:05, or 1,320:36. */
export function formatDuration(minutes: number): string {
  const whole = Math.abs(minutes);
  return `${minutes < 0 ? "−" : ""}${formatCount(Math.floor(whole / 60))}:${String(whole % 60).padStart(2, "0")}`;
}

/** Hours that are left or over, `1.30`, as the duration that they are: 1:18. The reading of a counter is `formatCounter`. */
export const formatHours = (hours: string): string => formatDuration(Math.round(Number(hours) * 60));

/** A counter of hours, `1234.50`, with its two places: 1.234,50 or 1,234.50. */
export const formatCounter = (hours: string): string =>
  numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(Number(hours));

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** How far an instant is from now, in the largest unit that fits: 3 hours ago, in 2 days. */
export function formatDistance(instant: string): string {
  const away = Date.parse(instant) - Date.now();
  const [unit, length] = units.find(([, one]) => Math.abs(away) >= one) ?? ["second", 1000];
  const name = `distance ${locale()}`;
  const format = formats.get(name) ?? new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  formats.set(name, format);
  return (format as Intl.RelativeTimeFormat).format(Math.trunc(away / length), unit);
}

/** Bytes in kB below 1 MB, from 10 GB on in GB, and in MB between: 4.2 MB. */
export function formatBytes(bytes: number): string {
  const [size, unit] =
    bytes < 1e6 ? [bytes / 1e3, "kilobyte"] : bytes < 1e10 ? [bytes / 1e6, "megabyte"] : [bytes / 1e9, "gigabyte"];
  return numberFormat({ style: "unit", unit, maximumFractionDigits: size < 100 ? 1 : 0 }).format(size);
}

/** A time span in the unit that fits: 250 ms, 1.5 s, 3 min. */
export function formatSpan(milliseconds: number): string {
  const [span, unit] =
    milliseconds < 1000
      ? [milliseconds, "millisecond"]
      : milliseconds < 120_000
        ? [milliseconds / 1000, "second"]
        : milliseconds < 7_200_000
          ? [milliseconds / 60_000, "minute"]
          : [milliseconds / 3_600_000, "hour"];
  return numberFormat({ style: "unit", unit, maximumFractionDigits: span < 10 ? 1 : 0 }).format(span);
}

/** Where a flight went: EDFE – EDKB, or EDFE alone if it came back. */
export const formatRoute = (departure: string | null, arrival: string | null): string =>
  [...new Set([departure, arrival])].filter(Boolean).join(" – ");

export const formatCount = (count: number): string => numberFormat({}).format(count);

/** Hundredths: 41 % or 41%. */
export const formatPercent = (percent: number): string => numberFormat({ style: "percent" }).format(percent / 100);

/** With one place: 1.3. */
export const formatRate = (rate: number): string => numberFormat({ maximumFractionDigits: 1 }).format(rate);

/** An amount in minor units with its currency: 93,00 € or €93.00. */
export function formatMoney(minor: number, currency: string): string {
  const places = placesOf(currency);
  const fraction = { minimumFractionDigits: places, maximumFractionDigits: places };
  return numberFormat({ style: "currency", currency, ...fraction }).format(minor / 10 ** places);
}

/** Compares texts as the language sorts them: Ł beside L. */
export const compareTexts = (a: string, b: string): number => a.localeCompare(b, locale());

/** The day of an instant in the school, as forms take it: `2026-06-15`. */
export const dayOf = (instant: Date): string => dayAt(instant.getTime());

/** The day through which something is valid: it ends where the next begins. */
export const lastDay = (end: string): string => dayOf(new Date(Date.parse(end) - 1));

const dayAt = remembered<number>(() => {
  const at = zone();
  return (instant) => clockAt(instant, at).day;
});

/** Hours of the API as they stand in a field: `1234,50` in German. */
export const writeHours = (hours: string): string => (language.value === "de" ? hours.replace(".", ",") : hours);

/** A difference with its sign: `+5.75`, `−0:30`. */
export const signed = (said: string, isNegative: boolean): string => `${isNegative ? "−" : "+"}${said}`;

export const signedDuration = (minutes: number): string => signed(formatDuration(Math.abs(minutes)), minutes < 0);
