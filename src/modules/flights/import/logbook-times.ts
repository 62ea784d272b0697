/** Reads a date and times of day in UTC, as logbook programs export them. */
import { type Instant, toInstant } from "../../../core/clock.ts";
import type { Issue } from "../../../core/errors.ts";
import type { ImportLine } from "../../../core/imports.ts";
import type { FlightLine, LogbookLine } from "./import.schemas.ts";

const names = ["off_block", "take_off", "landing", "on_block"] as const;

/** Returns the line with instants in place of a date and times of day. A time before the previous one is of the next day. */
export function withInstants({
  line,
  given: { date, off_block, take_off, landing, on_block, ...given },
  raw,
  faulty,
}: ImportLine<LogbookLine>): { value: ImportLine<FlightLine> } | { issue: Issue } {
  const times = { off_block, take_off, landing, on_block };
  const found: Partial<Record<`${(typeof names)[number]}_at`, Instant>> = {};
  let last = date === undefined ? undefined : Temporal.PlainDateTime.from(date);
  for (const name of names) {
    const time = times[name];
    if (time === undefined) continue;
    if (faulty.includes("date")) continue;
    if (last === undefined) return { issue: fault("date", "required", `A line with ${name} needs the date.`) };
    if (given[`${name}_at`] !== undefined)
      return { issue: fault(name, "duplicate", `Give \`${name}\` or \`${name}_at\`, not both.`) };
    const same = last.withPlainTime(time.padStart(5, "0"));
    last = Temporal.PlainDateTime.compare(same, last) < 0 ? same.add({ days: 1 }) : same;
    found[`${name}_at`] = toInstant(new Date(last.toZonedDateTime("UTC").epochMilliseconds));
  }
  const { date: _d, off_block: _o, take_off: _t, landing: _l, on_block: _b, ...others } = raw;
  const unread = names.filter((name) => faulty.includes(name) || faulty.includes("date")).map((name) => `${name}_at`);
  const value = { line, given: { ...given, ...found }, raw: { ...others, ...found }, faulty: [...faulty, ...unread] };
  return { value };
}

const fault = (path: string, code: Issue["code"], message: string): Issue => ({ path, code, message });
