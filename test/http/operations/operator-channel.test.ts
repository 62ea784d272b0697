import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Progress } from "../../../src/core/progress.ts";
import { createLog } from "../../../src/http/request-log.ts";
import type { Command } from "../../../src/modules/operations/command.ts";
import { auditVerify, finishRestore, jobsRun } from "../../../src/modules/operations/commands.ts";
import { type OperatorChannel, openOperatorChannel } from "../../../src/modules/operations/operator-channel.ts";
import {
  callServer,
  isServerRunning,
  NoServer,
  progressLines,
} from "../../../src/modules/operations/operator-client.ts";
import { runCommand } from "../../../src/modules/operations/run-command.ts";
import type { AuditVerification } from "../../../src/modules/operations/verify-audit.ts";
import { recentRuns } from "../../../src/scheduler/history.ts";
import { createScheduler } from "../../../src/scheduler/scheduler.ts";
import { openStorage, type Storage } from "../../../src/storage/storage.ts";
import { TestClock } from "../../support/clock.ts";
import { unexamined } from "../../support/operator.ts";

const clock = new TestClock();
const linkUrl = "https://ops.example.com/auth/link";
const log = createLog("silent");

let directory: string;
const toClose: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "windsock-op-"));
});
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
  await rm(directory, { recursive: true, force: true });
});

const options = () => ({ directory, clock, log });

/** Creates a scheduler with a job that counts its runs and a job that fails. */
let runs = 0;
let waitInside = Promise.resolve();
const schedulerOf = ({ control }: Pick<Storage, "control">) =>
  createScheduler({
    control,
    clock,
    log,
    jobs: [
      { name: "counting", schedule: "0 0 * * *", description: "", run: async () => ({ summary: `Run ${++runs}.` }) },
      {
        name: "finish-restore",
        schedule: "0 0 * * *",
        description: "",
        async run(_, { onProgress } = {}) {
          onProgress?.({ done: 1, total: 2 });
          await waitInside;
          onProgress?.({ done: 1, total: 2, bytes: { done: 3, total: 4 }, step: "copying" });
          return { summary: "Done." };
        },
      },
      { name: "failing", schedule: "0 0 * * *", description: "", run: () => Promise.reject(new Error("s3cr3t")) },
    ],
  });

/** The installation as the command line opens it if no server is running. */
const installation = () => ({
  directory,
  async open() {
    const storage = await openStorage(options());
    return { ...unexamined, storage, clock, scheduler: schedulerOf(storage), linkUrl, close: storage.close };
  },
});

async function openData() {
  const storage = await openStorage(options());
  let closed: Promise<number> | undefined;
  const close = () => (closed ??= storage.close());
  toClose.push(close);
  return { ...storage, close };
}

/** Opens the channel like a starting server, and collects the errors of its commands. */
async function startServer(overrides: object = {}) {
  const storage = await openData();
  const errors: unknown[] = [];
  const channel: OperatorChannel = await openOperatorChannel({
    directory,
    storage: { ...storage, ...overrides },
    clock,
    scheduler: schedulerOf(storage),
    ...unexamined,
    linkUrl,
    onError: (error) => void errors.push(error),
  });
  toClose.push(() => channel.close(60_000));
  return { channel, storage, errors };
}

const socket = () => join(directory, "operator.sock");

/** Sends a request without our client. */
const post = (path: string, body: string, method = "POST") =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const call = request({ socketPath: socket(), path, method, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    call.on("error", reject).end(body);
  });

const valid: AuditVerification = {
  ok: true,
  logs: [{ database: "control", organization_id: null, rows: 0, fault: null }],
};

test("runCommand runs the command in the running server", async () => {
  await startServer();
  // The data directory is locked, so only the server can have answered.
  expect(await runCommand(installation(), auditVerify, {})).toEqual(valid);
});

test("only the server's user account can access the socket", async () => {
  await startServer();

  expect((await stat(socket())).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).not.toContain(".operator");
});

test("a removed socket is created again, but not after the channel was closed", async () => {
  const { channel } = await startServer();
  await channel.renew();
  await rm(socket());
  await expect(callServer(directory, auditVerify, {})).rejects.toBeInstanceOf(NoServer);
  await channel.renew();
  expect(await callServer(directory, auditVerify, {})).toEqual(valid);
  expect((await stat(socket())).mode & 0o777).toBe(0o600);
  await channel.close(60_000);
  await channel.renew();
  expect(await readdir(directory)).not.toContain("operator.sock");
});

test("runCommand runs the command itself if no server is running, and releases the data directory", async () => {
  const storage = await openData();
  await storage.close();

  expect(await runCommand(installation(), auditVerify, {})).toEqual(valid);

  await openData();
});

test("runCommand runs the command itself if only the socket of a dead server exists", async () => {
  await (await openData()).close();
  await leaveDeadSocket();

  expect(await runCommand(installation(), auditVerify, {})).toEqual(valid);
});

/** Creates the socket file of a killed process: it exists, but no process listens. */
async function leaveDeadSocket(): Promise<void> {
  const created = join(directory, "s");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(created, resolve));
  await rename(created, socket());
  await new Promise((resolve) => server.close(resolve));
}

test("openOperatorChannel replaces the files of a dead server", async () => {
  await leaveDeadSocket();
  await mkdir(join(directory, ".operator"));
  await writeFile(join(directory, ".operator", "s"), "");

  await startServer();

  expect(await callServer(directory, auditVerify, {})).toEqual(valid);
});

test("closing the channel removes the socket", async () => {
  const { channel } = await startServer();

  await channel.close(60_000);

  expect(await readdir(directory)).not.toContain("operator.sock");
  await expect(callServer(directory, auditVerify, {})).rejects.toBeInstanceOf(NoServer);
});

test("the command line follows how far a job in the server is; its result and its errors are the same", async () => {
  const { channel } = await startServer();
  const seen: Progress[] = [];
  const follow = (name: string) => callServer(directory, { ...finishRestore, name }, {}, (one) => void seen.push(one));
  expect(await follow("finish-restore")).toMatchObject({ outcome: "succeeded", summary: "Done." });
  expect(seen).toEqual([
    { done: 1, total: 2 },
    { done: 1, total: 2, bytes: { done: 3, total: 4 }, step: "copying" },
  ]);
  expect(await follow("make-coffee").catch((error) => error)).toMatchObject({ code: "NOT_FOUND" });
  expect(await follow("check").catch((error) => error.message)).toContain("different versions");
  // Not asked for by others, which expect one text.
  expect(JSON.parse((await post("/finish-restore", "{}")).text)).toMatchObject({ data: { summary: "Done." } });
  await channel.close(60_000);
});

test("a command goes on when the command line that follows it has ended", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  waitInside = promise;
  const { channel, storage } = await startServer();
  const call = request({ socketPath: socket(), path: "/finish-restore", method: "POST", agent: false });
  call.setHeader("accept", progressLines);
  const begun = new Promise((answered) => call.on("response", answered));
  call.on("error", () => undefined).end("{}");
  await begun;
  call.destroy();
  resolve();
  await channel.close(60_000);
  for (;;) {
    const recorded = await storage.control.read((reader) => recentRuns(reader, "finish-restore", 10));
    if (recorded.length > 0) break;
  }
});

test("closing the channel waits for a running command until the deadline", async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const read = async () => {
    begun.resolve();
    await end.promise;
    return [];
  };
  const { channel } = await startServer({ control: { read } });
  const outcome = callServer(directory, auditVerify, {}).catch((error) => error);
  await begun.promise;

  await channel.close(1);

  expect((await outcome).message).toStartWith("The server stopped before the command finished.");
  end.resolve();
});

test("closing the channel lets a running command finish", async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const read = async (query: never): Promise<unknown> => {
    begun.resolve();
    await end.promise;
    return storage.control.read(query);
  };
  const { storage, channel } = await startServer({ control: { read } });
  const outcome = callServer(directory, auditVerify, {});
  await begun.promise;
  const closed = channel.close(60_000);
  end.resolve();

  expect(await outcome).toEqual(valid);
  await closed;
});

test("an error is the same whether the server or the command line runs the command", async () => {
  const unknown = { org: "01890a5d-ac96-774b-bcce-b302099a8057" };
  const malformed = { org: "my-school" };
  const outcomes = async () => [
    await runCommand(installation(), auditVerify, unknown).catch((error) => error),
    await runCommand(installation(), auditVerify, malformed).catch((error) => error),
  ];
  const { channel, storage } = await startServer();
  const throughServer = await outcomes();
  await channel.close(60_000);
  await storage.close();

  expect(throughServer).toMatchObject([
    { name: "Problem", code: "NOT_FOUND", message: "There is no such organization." },
    { name: "Problem", code: "VALIDATION_ERROR", issues: [{ path: "args.org" }] },
  ]);
  expect(await outcomes()).toEqual(throughServer);
});

test("an unexpected error reaches only the server's log, and the operator gets a hint", async () => {
  const boom = new Error("the secret plan");
  const broken = { control: { read: () => Promise.reject(boom), write: () => Promise.reject(boom) } };
  const { errors } = await startServer(broken);

  const outcome = await callServer(directory, auditVerify, {}).catch((error) => error);

  expect(outcome).toMatchObject({ name: "Problem", code: "SERVER_ERROR" });
  expect(outcome.message).not.toContain("secret");
  expect(errors).toEqual([boom]);
});

test("the operator channel rejects requests that are not commands", async () => {
  await startServer();

  expect((await post("/drop-everything", "{}")).status).toBe(404);
  expect((await post("/audit-verify", "", "GET")).status).toBe(404);
  expect((await post("/audit-verify", "{")).status).toBe(400);
  const long = await post("/audit-verify", "{}".padEnd(64 * 1024 + 1));
  expect([long.status, long.text]).toEqual([400, expect.stringContaining("too long")]);
  expect((await post("/audit-verify", "{}".padEnd(64 * 1024))).status).toBe(200);
  expect((await post("/audit-verify", '{"everything":true}')).status).toBe(400);
  expect((await post("/audit-verify", "{}")).status).toBe(200);
});

test("callServer throws NOT_FOUND if the running server does not know the command", async () => {
  await startServer();
  const newer: Command<object, unknown> = { ...auditVerify, name: "make-coffee" };

  await expect(callServer(directory, newer, {})).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("callServer throws if the response is not understood", async () => {
  const server = createServer((_, response) => void response.end("hello"));
  await new Promise<void>((resolve) => server.listen(socket(), resolve));
  toClose.push(() => new Promise<void>((resolve) => server.close(() => resolve())));

  await expect(callServer(directory, auditVerify, {})).rejects.toThrow("different versions");
});

test("runCommand throws if the data directory is locked but no server accepts commands", async () => {
  await openData();

  await expect(runCommand(installation(), auditVerify, {})).rejects.toThrow("starting or stopping");
});

test("runCommand creates no installation in an empty directory", async () => {
  await expect(runCommand(installation(), auditVerify, {})).rejects.toThrow("contains no installation");

  expect(await readdir(directory)).toEqual([]);
});

test("a channel that closes leaves the socket of another server, and isServerRunning finds it", async () => {
  expect(await isServerRunning(directory)).toBeFalse();
  const first = await startServer();
  expect(await isServerRunning(directory)).toBeTrue();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(join(directory, "other.sock"), resolve));
  toClose.push(() => new Promise<void>((resolve) => other.close(() => resolve())));
  await rename(join(directory, "other.sock"), socket());
  await first.channel.close(1000);
  expect(await isServerRunning(directory)).toBeTrue();
});

test("openOperatorChannel rejects a path that is too long for a socket", async () => {
  const storage = await openData();
  const deep = join(directory, "d".repeat(100));

  const scheduler = schedulerOf(storage);
  const opening = openOperatorChannel({
    directory: deep,
    storage,
    clock,
    scheduler,
    ...unexamined,
    linkUrl,
    onError: () => undefined,
  });

  await expect(opening).rejects.toThrow("too long");
});

test("jobsRun runs a job in the running server or itself, and both record the run", async () => {
  const { channel, storage } = await startServer();
  const run = { started_at: "2026-06-14T09:00:00.000Z", finished_at: "2026-06-14T09:00:00.000Z" };
  expect(await runCommand(installation(), jobsRun, { name: "counting" })).toEqual({
    ...run,
    outcome: "succeeded",
    summary: `Run ${runs}.`,
  } as never);
  await channel.close(60_000);
  await storage.close();
  const before = runs;
  expect(await runCommand(installation(), jobsRun, { name: "counting" })).toMatchObject({ outcome: "succeeded" });
  expect(runs).toBe(before + 1);

  const { control } = await openData();
  expect(await control.read((reader) => recentRuns(reader, "counting", 10))).toMatchObject([
    { summary: `Run ${before + 1}.` },
    { summary: `Run ${before}.` },
  ]);
});

test("jobsRun reports a failure without the message of the error, an unknown job and an invalid name", async () => {
  await startServer();
  expect(await runCommand(installation(), jobsRun, { name: "failing" })).toMatchObject({
    outcome: "failed",
    summary: "Error. See the log for the cause.",
  });
  await expect(runCommand(installation(), jobsRun, { name: "nothing" })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "There is no job nothing. Jobs: counting, failing, finish-restore.",
  });
  await expect(runCommand(installation(), jobsRun, { name: "No name" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
});
