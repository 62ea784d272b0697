/**
 * For a server that a benchmark starts (`BUN_OPTIONS=--preload=…`): notes how long the turns of its event loop take, and writes
 * those over 5 ms to the file in `LOOP_TURNS` at its end, one `{ "at", "took" }` a line.
 */
import { writeFileSync } from "node:fs";

const turns: string[] = [];
let last = performance.now();
const timer = setInterval(() => {
  const at = performance.now();
  const took = at - last;
  if (took > 5) turns.push(JSON.stringify({ at: performance.timeOrigin + at, took }));
  last = at;
}, 1);
timer.unref();
process.on("exit", () => writeFileSync(String(process.env.LOOP_TURNS), turns.join("\n")));
