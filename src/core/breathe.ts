/**
 * Lets whatever else waits have its turn: timers, sockets, requests. A loop that only awaits the database would keep them
 * all waiting, since SQLite's calls are synchronous under their promises.
 */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
