import v8 from "node:v8";
import vm from "node:vm";

/**
 * Collects garbage now, for what holds more than memory until it is collected: libSQL's statements keep their database's
 * files open, and nothing else lets go of them.
 */
export function collectGarbage(): void {
  collect ??= "Bun" in globalThis ? () => Bun.gc(true) : exposed();
  collect();
}

let collect: (() => void) | undefined;

/** V8's own, which is there on demand. */
function exposed(): () => void {
  v8.setFlagsFromString("--expose-gc");
  return vm.runInNewContext("gc");
}
