/** Leaves the process to requests while they need it. */
import { performance } from "node:perf_hooks";
import { seconds } from "./clock.ts";

interface Stopwatch {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** The shortest pause. Background work takes at most about half of the time of an idle server. */
const shortest = 10;

/** A timer that is later than this shows that the event loop was busy. */
const tooLate = 5;

/** How long to wait before a busy server is looked at again. */
const recheckAfter = 100;

/** The longest pause: under permanent load, background work goes on slowly. */
const longest = seconds(1);

const real: Stopwatch = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Waits before the next piece of background work: 10 ms, and up to a second while the event loop is busy. */
export async function pauseWhileBusy({ now, sleep }: Stopwatch = real): Promise<void> {
  const began = now();
  for (;;) {
    const slept = now();
    await sleep(shortest);
    const isBusy = now() - slept > shortest + tooLate;
    if (!isBusy || now() - began >= longest) return;
    await sleep(recheckAfter);
  }
}
