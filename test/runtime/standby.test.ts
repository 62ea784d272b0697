/** Two servers on one data directory, as processes. */
import { afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { failOver } from "../../scripts/failover.ts";
import { afterThisTest } from "../support/after-test.ts";
import { signUpBody } from "./crash-bodies.ts";
import { unfinished } from "./files.ts";
import { endProcesses, oneFile, startServer, stop, urlOf } from "./processes.ts";
import { denoFromSource, isLinuxX64, type Runtime } from "./runtimes.ts";

afterEach(endProcesses);

const waiting = { WINDSOCK_WAIT_FOR_LOCK: "1" };

async function newPair(runtime?: Runtime) {
  // Not in memory: Deno rejects files in /dev.
  const directory = await mkdtemp("/tmp/windsock-standby-");
  afterThisTest(() => rm(directory, { recursive: true, force: true }));
  const env = { ...waiting, WINDSOCK_METRICS: "1", WINDSOCK_DATA_DIR: directory };
  const active = await startServer(env, runtime);
  const url = await urlOf(active);
  expect(await hasStandby(url)).toBe(false);
  const standby = await startServer(env, runtime);
  const [, standbyUrl = ""] = await standby.shows(
    "stdout",
    /"url":"(http:[^"]+)".*"Standing by for another process\."/,
  );
  return { active, url, standby, standbyUrl };
}

const hasStandby = async (url: string) =>
  /^windsock_standby ([01])$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1] === "1";

/** Sends bytes, as a load balancer does, and returns the status and the body of the answer. */
async function raw(url: string, request: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text) => {
    answer += text;
  });
  socket.write(request);
  await once(socket, "close");
  return { status: Number(answer.split(" ")[1]), body: answer.split("\r\n\r\n")[1] };
}

const haproxy = (path: string) => `GET ${path} HTTP/1.0\r\n\r\n`;
const kubernetes = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: 10.42.0.7:3000\r\nUser-Agent: kube-probe/1.34\r\nAccept: */*\r\nConnection: close\r\n\r\n`;

async function checkPair(runtime?: Runtime) {
  const { active, url, standby, standbyUrl } = await newPair(runtime);
  for (const probe of [haproxy, kubernetes]) {
    expect(await raw(url, probe("/health"))).toEqual({ status: 200, body: "ok" });
    expect(await raw(url, probe("/health/ready"))).toEqual({ status: 200, body: "ready" });
    expect(await raw(standbyUrl, probe("/health"))).toEqual({ status: 200, body: "ok" });
    expect(await raw(standbyUrl, probe("/health/ready"))).toMatchObject({ status: 503 });
  }
  expect(await hasStandby(url)).toBe(true);
  const signUp = (at: string) =>
    fetch(`${at}/auth/signup-org`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(signUpBody),
    });
  const refused = await signUp(standbyUrl);
  expect([refused.status, refused.headers.get("retry-after"), (await refused.json()).error]).toEqual([
    503,
    "1",
    {
      code: "UNAVAILABLE",
      message: expect.stringContaining("standby"),
      request_id: refused.headers.get("x-request-id"),
    },
  ]);
  expect((await signUp(url)).status).toBe(201);

  // With SIGKILL, and all its processes: `deno task` is one of its own.
  await active[Symbol.asyncDispose]();
  expect(await urlOf(standby)).toBe(standbyUrl);
  expect(await raw(standbyUrl, haproxy("/health/ready"))).toEqual({ status: 200, body: "ready" });
  expect(await hasStandby(standbyUrl)).toBe(false);
  const login = { email: signUpBody.email, password: signUpBody.password };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${standbyUrl}/auth/login`, { method: "POST", headers, body: JSON.stringify(login) });
  expect(answer.status).toBe(200);
  expect((await stop(standby)).code).toBe(0);
}

test(
  "a standby answers checks, refuses all else, and takes over when the active server is killed",
  () => checkPair(),
  120_000,
);

test.skipIf(!isLinuxX64)("so it does on Deno", () => checkPair(denoFromSource), 120_000);

test("a standby takes over after a stop, too, and a signal ends its wait at once", async () => {
  const { active, standby, standbyUrl } = await newPair();
  const third = await startServer({ ...waiting, WINDSOCK_DATA_DIR: active.directory });
  await third.shows("stdout", /Standing by/);
  const ended = await stop(third);
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("Stopped while standing by.")]);

  expect((await stop(active)).code).toBe(0);
  expect(await urlOf(standby)).toBe(standbyUrl);
  expect((await stop(standby)).code).toBe(0);
  expect(await unfinished(standby.directory)).toEqual([]);
}, 120_000);

// The long form is `bun scripts/failover.ts`.
test("three servers killed under load lose and double nothing that was acknowledged", async () => {
  const { command } = await oneFile();
  const { acknowledged, gaps, lost, doubled, faults } = await failOver({ kills: 3, command });
  expect({ lost, doubled, faults }).toEqual({ lost: [], doubled: [], faults: [] });
  expect(acknowledged).toBeGreaterThanOrEqual(12);
  expect(gaps).toHaveLength(3);
}, 180_000);
