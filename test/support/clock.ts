import type { Clock } from "../../src/core/clock.ts";

/** A clock that only a test moves. */
export class TestClock implements Clock {
  #now: number;

  constructor(start = "2026-06-14T09:00:00.000Z") {
    this.#now = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** Advances the clock by milliseconds. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  set(instant: string): void {
    this.#now = Date.parse(instant);
  }
}
