/**
 * Runs one task of an operator, and kills itself (SIGKILL) at a step of it, by the step's name:
 *
 *   bun crashing.ts DIRECTORY STEP adopt FILE
 *   bun crashing.ts DIRECTORY STEP rebuild EMAIL        with the address of an owner
 *   bun crashing.ts DIRECTORY STEP export ORGANIZATION  into `school.age` in the directory
 *   bun crashing.ts DIRECTORY STEP job NAME
 */
import process from "node:process";
import { newInstallation } from "../support/installation.ts";
import { tasks } from "./crash-tasks.ts";

const [directory = "", step = "", name = "", argument = ""] = process.argv.slice(2);
const task = tasks[name];
if (task === undefined) throw new Error(`There is no task ${name}.`);

let isAtWork = false;
const trace = (at: string) => {
  if (isAtWork && at === step) process.kill(process.pid, "SIGKILL");
};
const installation = await newInstallation({ directory, trace, checked: false, collectGarbage: () => Bun.gc(true) });
isAtWork = true;
await task(argument)(installation);
