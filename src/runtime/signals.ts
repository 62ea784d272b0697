import process from "node:process";

/**
 * Calls `handler` at the first SIGTERM or SIGINT; a second one ends the process at once, for whoever has no patience.
 *
 * @returns a function that takes the handler away again
 */
export function onStopSignal(handler: (signal: "SIGTERM" | "SIGINT") => void): () => void {
  let asked = false;
  const listen = (signal: "SIGTERM" | "SIGINT") => () => {
    if (asked) process.exit(1);
    asked = true;
    handler(signal);
  };
  const listeners = { SIGTERM: listen("SIGTERM"), SIGINT: listen("SIGINT") };
  process.on("SIGTERM", listeners.SIGTERM);
  process.on("SIGINT", listeners.SIGINT);
  return () => {
    process.off("SIGTERM", listeners.SIGTERM);
    process.off("SIGINT", listeners.SIGINT);
  };
}
