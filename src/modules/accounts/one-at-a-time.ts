import { conflict } from "../../core/errors.ts";

/**
 * Does a piece of work unless one with the same key is being done. Hashes are what everybody waits in one line for: who
 * holds one token, or one session, is not to fill it with a hundred of them, of which one could succeed.
 *
 * @throws CONFLICT at once, while it is
 */
export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** To be called once for a process: it knows its own requests alone. */
export function createOneAtATime(): OneAtATime {
  const underWay = new Set<string>();
  return async (key, work) => {
    if (underWay.has(key)) {
      throw conflict("request_in_progress", "Another request is using this token. Retry when it has finished.");
    }
    underWay.add(key);
    try {
      return await work();
    } finally {
      underWay.delete(key);
    }
  };
}
