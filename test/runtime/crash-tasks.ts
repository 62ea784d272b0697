/** What an operator starts, and what may be killed meanwhile. */
import { join } from "node:path";
import { orgExport } from "../../src/modules/operations/move-commands.ts";
import { adopted, depsOf, passphrase, rebuilt } from "../http/moving/moves.ts";
import type { Task } from "./crash-steps.ts";

export const adopt =
  (file: string): Task =>
  (at) =>
    adopted(at, file);

/** @param owner the address */
export const rebuild =
  (owner: string): Task =>
  async (at) => {
    const { adopted: schools } = await rebuilt(at, { owner });
    if (schools.length !== 1) throw new Error("It is not adopted.");
  };

/** Into `school.age` in the data directory. */
export const exportSchool =
  (org: string): Task =>
  (at) =>
    orgExport.handle(depsOf(at), { org, to: join(at.directory, "school.age"), passphrase });

export const runJob =
  (name: string): Task =>
  async ({ scheduler }) => {
    const { outcome, summary } = await scheduler.runNow(name);
    if (outcome !== "succeeded") throw new Error(summary);
  };

/** By the names that `crashing.ts` takes. */
export const tasks: Readonly<Record<string, (argument: string) => Task>> = {
  adopt,
  rebuild,
  export: exportSchool,
  job: runJob,
};
