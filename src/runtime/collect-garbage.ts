import v8 from "node:v8";
import vm from "node:vm";

/**
 * Collects garbage now. libSQL's statements keep their database files open until they are collected, and there is no
 * other way to release them.
 */
export function collectGarbage(): void {
  collect ??= "Bun" in globalThis ? () => Bun.gc(true) : exposed();
  collect();
}

let collect: (() => void) | undefined;

/** Returns V8's collector, which is exposed on demand. */
function exposed(): () => void {
  v8.setFlagsFromString("--expose-gc");
  return vm.runInNewContext("gc");
}
