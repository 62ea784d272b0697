/** Moves by processes that kill themselves at a step. */
import { expect } from "bun:test";
import { join } from "node:path";
import { Engine } from "../../../src/storage/server/engine.ts";
import { plain } from "../../../src/storage/server/migrate-namespace.ts";
import { bundled } from "../../runtime/bundle.ts";
import type { Sqld } from "../../support/sqld.ts";
import type { MoveToKill } from "./kill-move.ts";

/** Of the installations on servers. */
export const movesPrefix = "moves-";

/** Removes the nodes that were killed: they do not beat any more, which the next start would wait some seconds to know. */
export async function forgetNodes(...servers: readonly Sqld[]): Promise<void> {
  for (const sqld of servers) {
    const control = new Engine(sqld.settings(movesPrefix)).session("control");
    await control.read([plain("delete from nodes")]);
    control.close();
  }
}

/** @returns where the process found the school before it moved it, and was killed */
export async function killMove(killed: MoveToKill, ...servers: readonly Sqld[]): Promise<string> {
  await forgetNodes(...servers);
  const script = await bundled(join(import.meta.dir, "kill-move.ts"));
  const child = Bun.spawn([process.execPath, script, JSON.stringify(killed)], { stdout: "pipe" });
  const found = await new Response(child.stdout).text();
  await child.exited;
  expect([killed.step, child.signalCode]).toEqual([killed.step, killed.step === "" ? null : "SIGKILL"]);
  return found.trim();
}
