/** A write that is tried and not kept: it answers what it would answer, with the same refusals. */
import type { Tenant, Tx } from "./store.ts";

/** Runs `body` as `tenant.write` does, and rolls it back. Neither rows nor mails, events and effects of it are left. */
export async function dryRun<T>(tenant: Pick<Tenant, "write">, body: (tx: Tx<"tenant">) => Promise<T>): Promise<T> {
  const tried = new Tried<T>();
  try {
    return await tenant.write(async (tx) => {
      tried.answer = { value: await body(tx) };
      throw tried;
    });
  } catch (error) {
    if (error === tried && tried.answer) return tried.answer.value;
    throw error;
  }
}

/** Rolls the transaction back. */
class Tried<T> extends Error {
  answer: { value: T } | undefined;
}
