import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveUntilStopped } from "../../src/cli/serve-until-stopped.ts";
import { loadConfig } from "../../src/config.ts";
import { yieldToEventLoop } from "../../src/core/async.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Demo } from "../../src/demo/demo.ts";
import { createSender } from "../../src/events/outbound/sender.ts";
import { createLog } from "../../src/http/request-log.ts";
import type { Checker } from "../../src/storage/check/checker.ts";
import { newInstallation } from "../support/installation.ts";
import { newSchool } from "../support/school.ts";
import { unfinished } from "./files.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "windsock-serve-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Serves a demo with this `play` in a server of this process. */
async function serveDemo(play: Demo["play"], stopSignal: Promise<string>) {
  const printed: string[] = [];
  let wasServing: boolean | undefined;
  const demo: Demo = {
    clock: systemClock,
    vetUrl: (usual) => usual,
    createSender,
    play,
    close: () => {
      wasServing ??= existsSync(join(directory, "operator.sock"));
    },
  };
  const config = loadConfig({ WINDSOCK_DATA_DIR: directory, WINDSOCK_PORT: "0", WINDSOCK_METRICS: "1" });
  const outcome = await serveUntilStopped({
    config,
    log: createLog("silent"),
    demo,
    stopSignal,
    print: (text) => void printed.push(text),
  }).then(
    () => "stopped",
    (error: Error) => error.message,
  );
  return { outcome, printed, wasServing };
}

test("when it serves, the school that changed last is opened before anybody asks", async () => {
  const installation = await newInstallation({ directory });
  await newSchool(installation);
  await installation.close();
  const stopSignal = Promise.withResolvers<string>();
  const play = async ({ url }: { url: string }) => {
    const isOpen = async () => /^windsock_open_tenants 1$/m.test(await (await fetch(`${url}/metrics`)).text());
    while (!(await isOpen())) await yieldToEventLoop();
    stopSignal.resolve("SIGTERM");
  };
  expect((await serveDemo(play, stopSignal.promise)).outcome).toBe("stopped");
});

test("a failing demo stops its server, and its error is thrown", async () => {
  const play = () => Promise.reject(new Error("The demo failed."));
  const { outcome, printed, wasServing } = await serveDemo(play, new Promise(() => undefined));

  expect([outcome, printed]).toEqual(["The demo failed.", []]);
  // The receiver closes last: the server's last deliveries can still arrive.
  expect(wasServing).toBe(false);
  expect(await unfinished(directory)).toEqual([]);
  // The data directory is no longer locked.
  await newInstallation({ directory });
});

test("a signal during the start ends it at the deadline, with the processes that check files", async () => {
  await (await newInstallation({ directory })).close();
  const begun = Promise.withResolvers<void>();
  let isClosed = false;
  const checker: Checker = {
    check() {
      begun.resolve();
      return new Promise(() => undefined);
    },
    migrate: () => Promise.reject(new Error("not used")),
    auditChain: () => Promise.reject(new Error("not used")),
    scrub: () => Promise.reject(new Error("not used")),
    copy: () => Promise.reject(new Error("not used")),
    stage: () => Promise.reject(new Error("not used")),
    sealSchool: () => Promise.reject(new Error("not used")),
    openSchool: () => Promise.reject(new Error("not used")),
    prepareSchool: () => Promise.reject(new Error("not used")),
    endCopies: () => undefined,
    close() {
      isClosed = true;
    },
  };
  const logged: string[] = [];
  const serving = serveUntilStopped({
    config: loadConfig({ WINDSOCK_DATA_DIR: directory, WINDSOCK_PORT: "0" }),
    log: createLog("info", { write: (line) => void logged.push(line) }),
    stopSignal: begun.promise.then(() => "SIGTERM"),
    checker,
    deadline: 1,
    print: () => undefined,
  });
  await serving;
  expect([isClosed, logged.join("")]).toEqual([
    true,
    expect.stringContaining("Stopped before the start was complete."),
  ]);
});

test("an error of the demo after the stop signal is ignored", async () => {
  const played = Promise.withResolvers<void>();
  const stopSignal = Promise.withResolvers<string>();
  const play = () => {
    stopSignal.resolve("SIGINT");
    return played.promise;
  };
  const serving = serveDemo(play, stopSignal.promise);
  await stopSignal.promise;
  played.reject(new Error("The server does not answer."));

  expect(await serving).toEqual({
    outcome: "stopped",
    printed: ["\n  Stopped. All database files are complete.\n"],
    wasServing: false,
  });
});
