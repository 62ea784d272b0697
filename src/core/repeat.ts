import { seconds } from "./clock.ts";

interface Options {
  /** Milliseconds between two calls. */
  every?: number;
  log: { error(details: object, message: string): void };
}

/** Calls `work` every second, but never while an earlier call is still running. Logs what it throws and goes on. */
export function repeat(work: () => Promise<void>, { every = seconds(1), log }: Options) {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((err) => log.error({ err }, "Housekeeping failed. It is retried in a second."))
      .finally(() => {
        running = undefined;
      });
  }, every);
  return {
    /** Calls `work` no more. Resolves when the call under way has ended. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
