import type { Clock } from "../../src/core/clock.ts";

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  #now: number;

  constructor(start = "2026-06-14T09:00:00.000Z") {
    this.#now = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** Moves on by milliseconds. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  set(instant: string): void {
    this.#now = Date.parse(instant);
  }
}
