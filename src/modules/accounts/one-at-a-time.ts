import { conflict } from "../../core/errors.ts";

/**
 * Runs work unless work with the same key is running. All requests share the queue of password hashes: one token or one
 * session must not fill it with a hundred of them, of which only one can succeed.
 *
 * @throws CONFLICT work with the same key is running
 */
export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Call once per process: it sees the requests of its own process only. */
export function createOneAtATime(): OneAtATime {
  const running = new Set<string>();
  return async (key, work) => {
    if (running.has(key)) {
      throw conflict("request_in_progress", "Another request is using this token. Retry when it has finished.");
    }
    running.add(key);
    try {
      return await work();
    } finally {
      running.delete(key);
    }
  };
}
