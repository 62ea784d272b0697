import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../../src/http/request-log.ts";
import type { AuditVerification } from "../../../src/modules/operations/audit-verification.ts";
import type { Command } from "../../../src/modules/operations/command.ts";
import { auditVerify, jobsRun } from "../../../src/modules/operations/commands.ts";
import { type OperatorChannel, openOperatorChannel } from "../../../src/modules/operations/operator-channel.ts";
import { callServer, NoServer } from "../../../src/modules/operations/operator-client.ts";
import { runCommand } from "../../../src/modules/operations/run-command.ts";
import { recentRuns } from "../../../src/scheduler/history.ts";
import { createScheduler } from "../../../src/scheduler/scheduler.ts";
import { openStorage, type Storage } from "../../../src/storage/storage.ts";
import { TestClock } from "../../support/clock.ts";

const clock = new TestClock();
const linkUrl = "https://ops.example.com/auth/link";
const log = createLog("silent");

let directory: string;
const toClose: (() => Promise<void>)[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "windsock-op-"));
});
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
  await rm(directory, { recursive: true, force: true });
});

const options = () => ({ directory, clock, log });

/** A job that counts its runs, and one that fails. */
let runs = 0;
const schedulerOf = ({ control }: Pick<Storage, "control">) =>
  createScheduler({
    control,
    clock,
    log,
    jobs: [
      { name: "counting", schedule: "0 0 * * *", description: "", run: async () => ({ summary: `Run ${++runs}.` }) },
      { name: "failing", schedule: "0 0 * * *", description: "", run: () => Promise.reject(new Error("s3cr3t")) },
    ],
  });

/** As the command line opens it, when no server runs. */
const installation = () => ({
  directory,
  async open() {
    const storage = await openStorage(options());
    return { storage, clock, scheduler: schedulerOf(storage), linkUrl, close: storage.close };
  },
});

async function openData() {
  const storage = await openStorage(options());
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= storage.close());
  toClose.push(close);
  return { ...storage, close };
}

/** As a server does at its start. What its commands fail with is collected. */
async function startServer(overrides: object = {}) {
  const storage = await openData();
  const errors: unknown[] = [];
  const channel: OperatorChannel = await openOperatorChannel({
    directory,
    storage: { ...storage, ...overrides },
    clock,
    scheduler: schedulerOf(storage),
    linkUrl,
    onError: (error) => void errors.push(error),
  });
  toClose.push(() => channel.close(60_000));
  return { channel, storage, errors };
}

const socket = () => join(directory, "operator.sock");

/** What is sent by somebody who does not use our client. */
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

const fine: AuditVerification = {
  ok: true,
  logs: [{ database: "control", organization_id: null, rows: 0, fault: null }],
};

test("runCommand has the running server do it", async () => {
  await startServer();
  // The data directory is locked, so only the server can have answered.
  expect(await runCommand(installation(), auditVerify, {})).toEqual(fine);
});

test("the operator channel is the server's account's alone, from the moment it is there", async () => {
  await startServer();

  expect((await stat(socket())).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).not.toContain(".operator");
});

test("runCommand does it itself when no server runs, and leaves the data free again", async () => {
  const storage = await openData();
  await storage.close();

  expect(await runCommand(installation(), auditVerify, {})).toEqual(fine);

  await openData();
});

test("runCommand does it itself when only a dead server's socket is there", async () => {
  await (await openData()).close();
  await leaveDeadSocket();

  expect(await runCommand(installation(), auditVerify, {})).toEqual(fine);
});

/** The socket file of a process that was killed: it is there, and nobody listens. */
async function leaveDeadSocket(): Promise<void> {
  const birthplace = join(directory, "s");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(birthplace, resolve));
  await rename(birthplace, socket());
  await new Promise((resolve) => server.close(resolve));
}

test("openOperatorChannel replaces what a dead server left", async () => {
  await leaveDeadSocket();
  await mkdir(join(directory, ".operator"));
  await writeFile(join(directory, ".operator", "s"), "");

  await startServer();

  expect(await callServer(directory, auditVerify, {})).toEqual(fine);
});

test("closing the channel takes the socket away", async () => {
  const { channel } = await startServer();

  await channel.close(60_000);

  expect(await readdir(directory)).not.toContain("operator.sock");
  await expect(callServer(directory, auditVerify, {})).rejects.toBeInstanceOf(NoServer);
});

test("closing the channel waits for a command under way, but not beyond the deadline", async () => {
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

  expect((await outcome).message).toStartWith("The server stopped before the command had ended");
  end.resolve();
});

test("closing the channel lets a command under way end", async () => {
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

  expect(await outcome).toEqual(fine);
  await closed;
});

test("a refusal is the same, whoever carries out the command", async () => {
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

test("a command that breaks down tells the operator where to look, and the server what happened", async () => {
  const boom = new Error("the secret plan");
  const broken = { control: { read: () => Promise.reject(boom), write: () => Promise.reject(boom) } };
  const { errors } = await startServer(broken);

  const outcome = await callServer(directory, auditVerify, {}).catch((error) => error);

  expect(outcome).toMatchObject({ name: "Problem", code: "SERVER_ERROR" });
  expect(outcome.message).not.toContain("secret");
  expect(errors).toEqual([boom]);
});

test("the operator channel refuses what is no command", async () => {
  await startServer();

  expect((await post("/drop-everything", "{}")).status).toBe(404);
  expect((await post("/audit-verify", "", "GET")).status).toBe(404);
  expect((await post("/audit-verify", "{")).status).toBe(400);
  const long = await post("/audit-verify", JSON.stringify({ org: "x".repeat(100_000) }));
  expect([long.status, long.text]).toEqual([400, expect.stringContaining("too long")]);
  expect((await post("/audit-verify", '{"everything":true}')).status).toBe(400);
  expect((await post("/audit-verify", "{}")).status).toBe(200);
});

test("a command that the running server does not know is said to be unknown", async () => {
  await startServer();
  const newer: Command<object, unknown> = { ...auditVerify, name: "make-coffee" };

  await expect(callServer(directory, newer, {})).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an answer that is none of ours is said to be", async () => {
  const server = createServer((_, response) => void response.end("hello"));
  await new Promise<void>((resolve) => server.listen(socket(), resolve));
  toClose.push(() => new Promise((resolve) => server.close(() => resolve())));

  await expect(callServer(directory, auditVerify, {})).rejects.toThrow("different versions");
});

test("runCommand says so when the data is in use, but nobody answers", async () => {
  await openData();

  await expect(runCommand(installation(), auditVerify, {})).rejects.toThrow("starting or stopping");
});

test("runCommand makes no installation where there is none", async () => {
  await expect(runCommand(installation(), auditVerify, {})).rejects.toThrow("holds no installation");

  expect(await readdir(directory)).toEqual([]);
});

test("openOperatorChannel refuses a path that a socket has no room for", async () => {
  const storage = await openData();
  const deep = join(directory, "d".repeat(100));

  const scheduler = schedulerOf(storage);
  const opening = openOperatorChannel({
    directory: deep,
    storage,
    clock,
    scheduler,
    linkUrl,
    onError: () => undefined,
  });

  await expect(opening).rejects.toThrow("too long");
});

test("jobsRun has the running server run a job, or runs it itself, and writes it down either way", async () => {
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

test("jobsRun tells of a failure without what the error says, and of a name that no job has or can have", async () => {
  await startServer();
  expect(await runCommand(installation(), jobsRun, { name: "failing" })).toMatchObject({
    outcome: "failed",
    summary: "Error. See the log for the cause.",
  });
  await expect(runCommand(installation(), jobsRun, { name: "nothing" })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "There is no job nothing. Jobs: counting, failing.",
  });
  await expect(runCommand(installation(), jobsRun, { name: "No name" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
});
