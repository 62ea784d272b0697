import process from "node:process";

/**
 * Signals this soon after the first are the same one: Ctrl-C reaches every process of a terminal, and `deno task` then
 * passes its own on.
 */
const sameSignal = 500;

/**
 * Calls `handler` at the first SIGTERM or SIGINT; a second one ends the process at once, for whoever has no patience.
 *
 * @returns a function that takes the handler away again
 */
export function onStopSignal(handler: (signal: "SIGTERM" | "SIGINT") => void): () => void {
  let askedAt: number | undefined;
  const listen = (signal: "SIGTERM" | "SIGINT") => () => {
    if (askedAt === undefined) {
      askedAt = performance.now();
      handler(signal);
    } else if (performance.now() - askedAt > sameSignal) process.exit(1);
  };
  const listeners = { SIGTERM: listen("SIGTERM"), SIGINT: listen("SIGINT") };
  process.on("SIGTERM", listeners.SIGTERM);
  process.on("SIGINT", listeners.SIGINT);
  return () => {
    process.off("SIGTERM", listeners.SIGTERM);
    process.off("SIGINT", listeners.SIGINT);
  };
}
