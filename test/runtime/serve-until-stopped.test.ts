import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveUntilStopped } from "../../src/cli/serve-until-stopped.ts";
import { loadConfig } from "../../src/config.ts";
import type { Demo } from "../../src/demo/demo.ts";
import { createSender } from "../../src/events/outbound/sender.ts";
import { createLog } from "../../src/http/request-log.ts";
import { newInstallation } from "../support/installation.ts";
import { unfinished } from "./files.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "windsock-serve-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** A demo that tells `story`, in a server of this process. */
async function serveDemo(story: Demo["play"], asked: Promise<string>) {
  const printed: string[] = [];
  let wasServing: boolean | undefined;
  const demo: Demo = {
    vetUrl: (usual) => usual,
    createSender,
    play: story,
    close: () => {
      wasServing ??= existsSync(join(directory, "operator.sock"));
    },
  };
  const config = loadConfig({ WINDSOCK_DATA_DIR: directory, WINDSOCK_PORT: "0" });
  const outcome = await serveUntilStopped({
    config,
    log: createLog("silent"),
    demo,
    asked,
    say: (text) => void printed.push(text),
  }).then(
    () => "stopped",
    (error: Error) => error.message,
  );
  return { outcome, printed, wasServing };
}

test("a demo that fails stops its server, and then is the reason", async () => {
  const story = () => Promise.reject(new Error("The demo failed."));
  const { outcome, printed, wasServing } = await serveDemo(story, new Promise(() => undefined));

  expect([outcome, printed]).toEqual(["The demo failed.", []]);
  // Its receiver closes last: whatever the server had to deliver could still arrive.
  expect(wasServing).toBe(false);
  expect(await unfinished(directory)).toEqual([]);
  // Nobody holds the data any more.
  await newInstallation({ directory });
});

test("a story that the stop cuts off has not failed", async () => {
  const told = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<string>();
  const story = () => {
    asked.resolve("SIGINT");
    return told.promise;
  };
  const serving = serveDemo(story, asked.promise);
  await asked.promise;
  told.reject(new Error("The server does not answer."));

  expect(await serving).toEqual({
    outcome: "stopped",
    printed: ["\n  Stopped: every file is whole.\n"],
    wasServing: false,
  });
});
