/** Starting and stopping a server in this process. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, watch } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, loadConfig } from "../../src/config.ts";
import type { OrgId } from "../../src/core/ids.ts";
import { type Engine, type EngineOptions, openEngine } from "../../src/engine.ts";
import { createLog } from "../../src/http/request-log.ts";
import { auditVerify, jobsRun } from "../../src/modules/operations/commands.ts";
import { callServer, NoServer } from "../../src/modules/operations/operator-client.ts";
import { serveEngine, startServer } from "../../src/server.ts";
import type { Tenant } from "../../src/storage/store.ts";
import type { TenantStore } from "../../src/storage/tenant-store.ts";
import { TestClock } from "../support/clock.ts";
import { newInstallation } from "../support/installation.ts";
import { newSchool, type School } from "../support/school.ts";
import { beginRequest } from "./begin-request.ts";
import { signUpBody } from "./crash-bodies.ts";
import { heldSender } from "./held-sender.ts";
import { withDelivery } from "./with-delivery.ts";

const log = createLog("silent");

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "windsock-stop-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const configOf = (env: Record<string, string> = {}): Config =>
  loadConfig({ WINDSOCK_DATA_DIR: directory, WINDSOCK_PORT: "0", ...env });

/** An engine that counts calls of `close`. */
async function countedEngine(options: Partial<EngineOptions> = {}) {
  const engine = await openEngine({ config: configOf(), clock: new TestClock(), log, ...options });
  const closed = { times: 0 };
  const counted: Engine = {
    ...engine,
    close() {
      closed.times += 1;
      return engine.close();
    },
  };
  return { engine: counted, closed };
}

test("a stopping server stops everything at once: while it waits for a request, no job and no command begins", async () => {
  const { engine } = await countedEngine();
  const server = await serveEngine(engine, configOf(), log, { deadline: 60_000 });
  const slow = await beginRequest(server.url, "/auth/signup-org", signUpBody);

  const stopped = server.stop();

  await expect(engine.scheduler.runNow("intents")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(callServer(directory, auditVerify, {})).rejects.toBeInstanceOf(NoServer);
  slow.finish();
  expect(await slow.closed).toStartWith("HTTP/1.1 201 ");
  await stopped;
  expect(existsSync(join(directory, "operator.sock"))).toBe(false);
});

test("a stopping server has one deadline for request, delivery and command", async () => {
  await withDelivery(directory);
  const sender = heldSender();
  const { engine, closed } = await countedEngine({ createSender: sender.create });
  const held = Promise.withResolvers<never>();
  const reached = Promise.withResolvers<void>();
  const runNow = () => {
    reached.resolve();
    return held.promise;
  };
  const server = await serveEngine({ ...engine, scheduler: { ...engine.scheduler, runNow } }, configOf(), log, {
    deadline: 1,
  });
  const slow = await beginRequest(server.url, "/auth/signup-org", signUpBody);
  const command = callServer(directory, jobsRun, { name: "intents" }).catch((error: Error) => error.message);
  await Promise.all([sender.begun, reached.promise]);

  await server.stop();

  expect(await slow.closed).toBe("");
  expect(await command).toStartWith("The server stopped");
  expect(closed.times).toBe(1);
});

test("a stop writes the uses of API keys only of schools whose files are open", async () => {
  const installation = await newInstallation({ directory });
  const schools = [await newSchool(installation), await newSchool(installation)] as [School, School];
  const keys = [await schools[0].apiKey("public.pilots:read"), await schools[1].apiKey("public.pilots:read")];
  await installation.close();
  const { engine } = await countedEngine({ clock: installation.clock });
  const { tenants } = engine.storage;
  const written: string[] = [];
  const tenant = (id: OrgId): Tenant => {
    const used = tenants.tenant(id);
    const write: Tenant["write"] = (body) => {
      written.push(id);
      return used.write(body);
    };
    return { ...used, write };
  };
  const changed: Partial<TenantStore> = { tenant, isOpen: (id) => id === schools[0].orgId };
  const observed = new Proxy(tenants, {
    get: (store, name: keyof TenantStore) => changed[name] ?? store[name].bind(store),
  });
  const storage = { ...engine.storage, tenants: observed };
  // No round of housekeeping comes before the stop.
  const server = await serveEngine({ ...engine, storage }, configOf(), log, { housekeeping: 3_600_000 });
  for (const [at, { orgId }] of schools.entries()) {
    const headers = { authorization: `Bearer ${keys[at]}`, "x-org-id": orgId };
    expect((await fetch(`${server.url}/api/v1/public/pilots`, { headers })).status).toBe(200);
  }
  await server.stop();
  expect(written).toEqual([schools[0].orgId]);
});

test("a server whose engine does not start stops listening and closes the engine", async () => {
  const { engine, closed } = await countedEngine();
  // Known before it listens: a port that was free before.
  const probe = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const port = String(probe.port);
  await probe.stop(true);
  const start = () => Promise.reject(new Error("It does not start."));

  await expect(serveEngine({ ...engine, start }, configOf({ WINDSOCK_PORT: port }), log)).rejects.toThrow(
    "It does not start.",
  );

  expect(closed.times).toBe(1);
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
});

test("a server that can't listen closes its engine", async () => {
  const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { engine, closed } = await countedEngine();

  const start = serveEngine(engine, configOf({ WINDSOCK_PORT: String(taken.port) }), log);

  await expect(start).rejects.toThrow("Can't listen");
  expect(closed.times).toBe(1);
  await taken.stop(true);
});

test("while the server runs, an idle school's .db file is complete on its own", async () => {
  const clock = new TestClock();
  const server = await startServer(configOf(), log, { clock, housekeeping: 1 });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.url}/auth/signup-org`, {
    method: "POST",
    headers,
    body: JSON.stringify(signUpBody),
  });
  const { organization } = ((await answer.json()) as { data: { organization: { id: string } } }).data;
  const wal = join(directory, `${organization.id}.db-wal`);
  expect((await stat(wal)).size).toBeGreaterThan(0);

  const emptied = new Promise<void>((resolve) => {
    const watcher = watch(wal, async () => {
      if ((await stat(wal)).size > 0) return;
      watcher.close();
      resolve();
    });
  });
  clock.advance(60_000);
  await emptied;

  await server.stop();
});
