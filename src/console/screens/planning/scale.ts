/** Where times are on the board. An hour is as wide on each day: a day of a clock change is an hour shorter or longer. */
import { clockAt, dayAfter, instantAt } from "../../app/local-time.ts";

const HOUR = 3_600_000;

/** A part of the time that is shown without a gap: a day, or the hours of a day at which something is on. In milliseconds. */
export interface Span {
  day: string;
  from: number;
  to: number;
}

export interface Scale {
  spans: readonly Span[];
  /** Milliseconds that are shown. */
  length: number;
  zone: string;
  /** Returns where an instant is, from 0 to 1. What is between two spans is at their border. */
  shareOf(at: number): number;
  /** Returns the instant at a place. */
  timeAt(share: number): number;
}

/** @param hours of the day that are shown, local; by default all */
export function scaleOf(days: readonly string[], zone: string, hours: readonly [number, number] = [0, 24]): Scale {
  const spans = days.map((day) => ({ day, from: clock(day, hours[0], zone), to: clock(day, hours[1], zone) }));
  const length = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    ...{ spans, length, zone },
    shareOf(at) {
      let before = 0;
      for (const { from, to } of spans) {
        if (at <= from) break;
        before += Math.min(at, to) - from;
      }
      return before / length;
    },
    timeAt(share) {
      let left = Math.min(Math.max(share, 0), 1) * length;
      for (const { from, to } of spans) {
        if (left < to - from) return from + left;
        left -= to - from;
      }
      return spans.at(-1)?.to ?? 0;
    },
  };
}

/** The instant of a full hour of a day. @param hour 24 is the end of the day */
function clock(day: string, hour: number, zone: string): number {
  const at = hour === 24 ? instantAt(dayAfter(day), "00:00", zone) : instantAt(day, `${twoDigits(hour)}:00`, zone);
  return Date.parse(at ?? `${day}T00:00:00Z`);
}

const twoDigits = (number: number): string => String(number).padStart(2, "0");

export interface Tick {
  at: number;
  /** What clocks show then: on the day on which summer time ends, an hour twice. */
  time: string;
}

/** The full hours of a span, at which a line is drawn. */
export function hoursIn({ from, to }: Span, zone: string, every = 1): Tick[] {
  const ticks: Tick[] = [];
  for (let at = from; at < to; at += HOUR) {
    const { time } = clockAt(at, zone);
    if (Number(time.slice(0, 2)) % every === 0) ticks.push({ at, time });
  }
  return ticks;
}

/** The seven days of a week, from Monday. */
export function weekOf(day: string): string[] {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return Array.from({ length: 7 }, (_, index) => dayAfter(day, index - weekday));
}

export const percent = (share: number): string => `${(share * 100).toFixed(4)}%`;

/** Where a time is drawn. */
export function placeOf(scale: Scale, start: number, end: number): { insetInlineStart: string; inlineSize: string } {
  const from = scale.shareOf(start);
  return { insetInlineStart: percent(from), inlineSize: percent(scale.shareOf(end) - from) };
}

interface Times {
  start_at: string;
  end_at: string;
}

/** When nothing is on, and the school does not say when it is open. */
const usual = [7, 20] as const;

/** The hours that a week shows of each day: when the school is open and when something is on. */
export function hoursOf(open: readonly Times[], sessions: readonly Times[], zone: string): [number, number] {
  let [from, to]: [number, number] = [24, 0];
  const note = ({ start_at, end_at }: Times) => {
    const [start, end] = [clockAt(start_at, zone), clockAt(end_at, zone)];
    from = Math.min(from, Number(start.time.slice(0, 2)));
    if (start.day === end.day) to = Math.max(to, Math.ceil(minutesOf(end.time) / 60));
    else [from, to] = [end.time === "00:00" ? from : 0, 24];
  };
  // Open for a whole day and longer: it does not say.
  for (const one of [...open, ...sessions])
    if (Date.parse(one.end_at) - Date.parse(one.start_at) < 23 * HOUR) note(one);
  return from < to ? [Math.min(from, usual[0] + 1), Math.max(to, usual[1] - 2)] : [...usual];
}

/** The hours that a printed day has: an hour before the first of what is on until an hour after the last, and all of the daylight. */
export function printedHours(
  whole: Span,
  on: readonly { start: number; end: number }[],
  zone: string,
): [number, number] {
  const within = on.filter(({ start, end }) => start < whole.to && end > whole.from);
  if (within.length === 0) return [...usual];
  const from = Math.max(whole.from, Math.min(...within.map(({ start }) => start)));
  const to = Math.min(whole.to, Math.max(...within.map(({ end }) => end)));
  const end = to === whole.to ? 24 : Math.ceil(minutesOf(clockAt(to, zone).time) / 60);
  return [Number(clockAt(from, zone).time.slice(0, 2)), end];
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
