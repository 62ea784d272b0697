/**
 * Waits for `work`, but for `milliseconds` at most: then it goes on by itself, and nobody waits for it any more.
 *
 * @returns whether it has ended
 * @throws what it throws until then
 */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, milliseconds, false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
