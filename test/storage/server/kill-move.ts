/** Prints where a school is, moves it, and kills itself (SIGKILL) at a step of that. What to do is its argument, in JSON. */
import process from "node:process";
import { newInstallation } from "../../support/installation.ts";
import { move, stateAt } from "./moving-schools.ts";

interface Opened {
  directory: string;
  env: Record<string, string>;
}

export interface MoveToKill {
  id: string;
  from: Opened;
  to: Opened;
  /** The step before which it ends, by its name. Empty: it is not killed. */
  step: string;
}

const { id, from, to, step }: MoveToKill = JSON.parse(process.argv[2] ?? "");
const trace = (at: string) => {
  if (at === step) process.kill(process.pid, "SIGKILL");
};
const options = { trace, checked: false, collectGarbage: () => Bun.gc(true) };
const [first, second] = [await newInstallation({ ...from, ...options }), await newInstallation({ ...to, ...options })];
process.stdout.write(`${await stateAt(first, id)}, ${(await stateAt(second, id)) ?? "nowhere"}\n`);
await move(first, second, id, { trace });
process.exit();
