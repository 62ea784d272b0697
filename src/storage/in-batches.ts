import { yieldToEventLoop } from "../core/async.ts";
import type { Kind, Reader, Store, Tx } from "./store.ts";

interface Batches<K extends Kind, Row> {
  /** Returns the next rows to work on, so few that other writes do not wait long; none when the work is done. */
  next(reader: Reader<K>): Promise<readonly Row[]>;
  /** Works on the rows, so that `next` does not return them again. @returns how many are done */
  work(tx: Tx<K>, rows: readonly Row[]): Promise<number>;
}

/**
 * Works in batches, one transaction each. Between two batches, requests and timers run.
 *
 * @returns how many rows are done
 */
export async function inBatches<K extends Kind, Row>(
  store: Store<K>,
  { next, work }: Batches<K, Row>,
): Promise<number> {
  let done = 0;
  // A read first: an empty write transaction would cost a commit.
  while ((await store.read(next)).length > 0) {
    done += await store.write(async (tx) => {
      const rows = await next(tx);
      return rows.length > 0 ? work(tx, rows) : 0;
    });
    await yieldToEventLoop();
  }
  return done;
}
