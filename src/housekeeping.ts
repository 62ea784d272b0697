import { seconds } from "./core/clock.ts";

interface Options {
  /** Milliseconds. */
  every?: number;
  log: { error(details: object, message: string): void };
}

/** Does `work` every second, unless it is at it still. What goes wrong is logged, and the next time comes all the same. */
export function keepHouse(work: () => Promise<void>, { every = seconds(1), log }: Options) {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((err) => log.error({ err }, "Housekeeping failed; it is tried again."))
      .finally(() => {
        running = undefined;
      });
  }, every);
  return {
    /** Ends after the work under way. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
