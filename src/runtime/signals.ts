import process from "node:process";

/**
 * Milliseconds in which a second signal counts as the first: Ctrl-C reaches every process of a terminal, and `deno task`
 * forwards its own copy.
 */
const sameSignal = 500;

/**
 * Calls `handler` at the first SIGTERM or SIGINT. A second signal ends the process at once.
 *
 * @returns a function that removes the handler
 */
export function onStopSignal(handler: (signal: "SIGTERM" | "SIGINT") => void): () => void {
  let signalledAt: number | undefined;
  const listen = (signal: "SIGTERM" | "SIGINT") => () => {
    if (signalledAt === undefined) {
      signalledAt = performance.now();
      handler(signal);
    } else if (performance.now() - signalledAt > sameSignal) process.exit(1);
  };
  const listeners = { SIGTERM: listen("SIGTERM"), SIGINT: listen("SIGINT") };
  process.on("SIGTERM", listeners.SIGTERM);
  process.on("SIGINT", listeners.SIGINT);
  return () => {
    process.off("SIGTERM", listeners.SIGTERM);
    process.off("SIGINT", listeners.SIGINT);
  };
}
