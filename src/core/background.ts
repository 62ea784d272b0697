/** Work that continues after its response. */
export interface Background {
  /** Starts the work in a later turn of the event loop. Logs its errors. */
  run(work: () => Promise<void>): void;
  /** Aborted when the server stops. Long work that can be continued at the next start ends then. */
  readonly stopping: AbortSignal;
  /** Resolves when all work in progress has ended. */
  ended(): Promise<void>;
}

export function createBackground(
  log: { error(details: object, message: string): void },
  stopping = new AbortController().signal,
): Background {
  const inProgress = new Set<Promise<void>>();
  return {
    stopping,
    run(work) {
      const ending = new Promise((resolve) => setImmediate(resolve))
        .then(work)
        .catch((err: unknown) => log.error({ err }, "The work after a response failed."))
        .finally(() => inProgress.delete(ending));
      inProgress.add(ending);
    },
    async ended() {
      await Promise.all(inProgress);
    },
  };
}
