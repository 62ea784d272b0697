/** The stream of changes of a real server, on sockets. */
import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { serve } from "../../src/runtime/serve.ts";
import { EventReader } from "../http/changes/follow.ts";
import { afterThisTest } from "../support/after-test.ts";
import { stretched } from "../support/limits.ts";
import { newOwnSchool } from "../support/school.ts";
import { endProcesses, startServer, urlOf } from "./processes.ts";
import { denoFromSource, isLinuxX64, type Runtime } from "./runtimes.ts";

afterEach(endProcesses);

const runtimes: [string, Runtime | undefined, boolean][] = [
  ["Bun", undefined, true],
  ["Deno", denoFromSource, isLinuxX64],
];

async function newServer(runtime?: Runtime) {
  // Not in memory: Deno rejects files in /dev.
  const directory = await mkdtemp("/tmp/windsock-changes-");
  afterThisTest(() => rm(directory, { recursive: true, force: true }));
  const server = await startServer({ WINDSOCK_DATA_DIR: directory }, runtime);
  const url = await urlOf(server);
  let token = "";
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(201);
    return (await answer.json()).data;
  };
  const account = { email: "olga@example.com", password: "correct horse battery", name: "Olga" };
  const organization = { name: "Windy Hill", kind: "ato", time_zone: "Europe/Berlin" };
  const school = await post("/auth/signup-org", { ...account, organization });
  token = school.tokens.access_token;
  const base = `/orgs/${school.organization.id}`;
  const follow = async (): Promise<EventReader> => {
    const { body, status } = await fetch(`${url}${base}/changes`, { headers: { authorization: `Bearer ${token}` } });
    if (body === null || status !== 200) throw new Error(`${status}`);
    return new EventReader(body);
  };
  return { server, follow, post: (path: string, body: object) => post(base + path, body) };
}

for (const [name, runtime, isHere] of runtimes)
  test.skipIf(!isHere)(
    `on ${name}, a change arrives within a second, and the stop ends the stream at once`,
    async () => {
      const { server, follow, post } = await newServer(runtime);
      const stream = await follow();
      expect((await stream.next()).event).toBe("reset");
      // The first write prepares statements.
      await post("/people", { name: "Ada", types: ["pilot"] });
      await stream.next();

      const { id } = await post("/people", { name: "Ben", types: ["pilot"] });
      const written = performance.now();
      expect(await stream.next()).toMatchObject({ event: "change", data: { kind: "person", id } });
      expect(performance.now() - written).toBeLessThan(stretched(1000));

      const stopped = performance.now();
      server.signal("SIGTERM");
      expect(await stream.ended()).toMatchObject({ event: "end", data: { reason: "unavailable" } });
      await server.ended;
      // A stop may take 9 s.
      expect(performance.now() - stopped).toBeLessThan(stretched(5000));
    },
    60_000,
  );

/** A server in this process that closes a connection which is silent for 5 s. Bun counts in steps of 4 s. */
async function impatientServer(heartbeat: number) {
  const { installation, owner, orgId } = await newOwnSchool({ heartbeat });
  const server = await serve({
    host: "127.0.0.1",
    port: 0,
    maxBody: 1024,
    fetch: installation.app.fetch,
    idleSeconds: 5,
  });
  afterThisTest(() => server.stop(0));
  const headers = { authorization: `Bearer ${owner.token}` };
  const { body } = await fetch(`${server.url}/orgs/${orgId}/changes`, { headers });
  if (body === null) throw new Error("It is a stream.");
  return new EventReader(body);
}

test("the heartbeat keeps a connection open that would be closed as silent", async () => {
  const stream = await impatientServer(500);
  // Twice as long as a connection may be silent.
  await stream.until(() => stream.beats > 22);
  expect(stream.isEnded).toBe(false);
}, 60_000);

test("a connection without a heartbeat is closed as silent", async () => {
  const stream = await impatientServer(1_000_000);
  await stream.ended();
  expect(stream.beats).toBe(0);
}, 60_000);
