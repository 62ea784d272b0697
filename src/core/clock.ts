declare const instant: unique symbol;

/** A moment as stored and sent: RFC 3339 in UTC with milliseconds and `Z`. Instants sort as strings. */
export type Instant = string & { readonly [instant]: true };

/** The source of time. Tests inject a clock that they can move. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export const toInstant = (date: Date): Instant => date.toISOString() as Instant;

/** Returns `at` plus `milliseconds`, which may be negative. */
export const shift = (at: Date | Instant, milliseconds: number): Instant =>
  toInstant(new Date(new Date(at).getTime() + milliseconds));

export const seconds = (count: number): number => count * 1000;
export const minutes = (count: number): number => seconds(count * 60);
export const hours = (count: number): number => minutes(count * 60);
export const days = (count: number): number => hours(count * 24);

/** How far clocks may differ. */
const tolerance = minutes(1);

/** Returns whether the clock was set back since, by more than clocks may differ. */
export const isSetBack = (since: Date, now: Date): boolean => since.getTime() - now.getTime() > tolerance;

/**
 * Returns the instant after which nothing can be due that was planned at most `longest` milliseconds ahead. A later one was
 * written while the clock was ahead, and is due: otherwise it would wait for as long as the clock was wrong.
 */
export const latestPlanned = (now: Date | Instant, longest: number): Instant => shift(now, longest + tolerance);

/** Returns whether an instant that was planned at most `longest` milliseconds ahead is still to come, see `latestPlanned`. */
export const isToCome = (planned: Instant, now: Date | Instant, longest: number): boolean =>
  planned > shift(now, 0) && planned <= latestPlanned(now, longest);

/** Returns whether so many milliseconds have passed since an instant. A future one was by a clock that was ahead: they have. */
export const hasPassed = (milliseconds: number, { since, now }: { since: Date | number; now: Date }): boolean =>
  now.getTime() - Number(since) >= milliseconds || isSetBack(new Date(since), now);
