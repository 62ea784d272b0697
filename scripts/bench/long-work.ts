/**
 * How long `/health` takes beside each command, job and list that reads or changes many rows. A request of `/health` starts
 * every 5 ms, whether or not the last one has ended, so a stall of a second counts 200 times.
 *
 *   bun scripts/bench/long-work.ts [rows=300000] [only, a regular expression]
 */
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isId, type OrgId } from "../../src/core/ids.ts";
import type { Command } from "../../src/modules/operations/command.ts";
import { auditVerify, check, jobsRun } from "../../src/modules/operations/commands.ts";
import { callServer, operatorSocket } from "../../src/modules/operations/operator-client.ts";
import { seed } from "./long-work/seed.ts";
import { printTable, quantile, startReceiver } from "./post-office.ts";

const rows = Number(process.argv[2] ?? 300_000);
const only = new RegExp(process.argv[3] ?? "");
/** Work that takes longer is measured for this time; the next work begins when it has ended. */
const longest = 30_000;

const directory = await mkdtemp(join(tmpdir(), "windsock-long-work-"));
const receiver = await startReceiver();
const authorities = `${directory}.pem`;
await writeFile(authorities, receiver.ca);
const port = freePort();
const url = `http://127.0.0.1:${port}`;
let token = "";

async function start() {
  const server = Bun.spawn([process.execPath, join(import.meta.dir, "../../src/main.ts")], {
    env: {
      ...process.env,
      WINDSOCK_PORT: String(port),
      WINDSOCK_DATA_DIR: directory,
      WINDSOCK_LOG_LEVEL: "error",
      WINDSOCK_DEBUG_ENDPOINTS: "1",
      WINDSOCK_WEBHOOK_ALLOW: "127.0.0.0/8",
      WINDSOCK_WEBHOOK_CA: authorities,
    },
    stdout: "ignore",
    stderr: "inherit",
  });
  const isUp = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
    await Bun.sleep(20);
  }
  while (!existsSync(operatorSocket(directory))) await Bun.sleep(20);
  return async () => {
    server.kill("SIGTERM");
    await server.exited;
  };
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port: free } = listener;
  listener.stop();
  return free;
}

async function call(path: string, body?: unknown, method = body === undefined ? "GET" : "POST") {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": body instanceof Blob ? body.type : "application/json" }),
      ...(token !== "" && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function signUp(index: number): Promise<{ orgId: OrgId; userId: string }> {
  const { data } = await call("/auth/signup-org", {
    email: `owner${index}@bench.example`,
    password: "correct horse battery",
    name: "Olga Lindner",
    organization: { name: `School ${index}`, kind: "ato", time_zone: "Europe/Berlin", currency: "EUR" },
  });
  token = data.tokens.access_token;
  const { id } = data.organization;
  if (!isId<"organization">(id)) throw new Error("This is no id.");
  return { orgId: id, userId: data.user.id };
}

async function addEndpoint(orgId: OrgId) {
  const endpoint = { url: receiver.url.replace("receiver.test", "127.0.0.1"), event_types: ["flight.approved"] };
  const { id } = (await call(`/orgs/${orgId}/integrations/webhook-endpoints`, endpoint)).data;
  if (!isId<"webhook_endpoint">(id)) throw new Error("This is no id.");
  return id;
}

/** @returns milliseconds of each request of `/health` that started while the work ran, and those of the work */
async function beside(work: () => Promise<unknown>): Promise<{ took: number; health: number[] }> {
  const health: number[] = [];
  const open = new Set<Promise<void>>();
  const ping = async () => {
    const began = performance.now();
    await (await fetch(`${url}/health`)).text();
    health.push(performance.now() - began);
  };
  const timer = setInterval(() => {
    const pinged = ping().finally(() => open.delete(pinged));
    open.add(pinged);
  }, 5);
  await Bun.sleep(100);
  health.length = 0;
  const began = performance.now();
  const ended = work();
  await Promise.race([ended, Bun.sleep(longest)]);
  clearInterval(timer);
  await ended;
  const took = performance.now() - began;
  await Promise.all(open);
  return { took, health };
}

const inServer = <Args, Result>(command: Command<Args, Result>, args: Args) => callServer(directory, command, args);
const job = (name: string) => async () => {
  const { outcome, summary } = await inServer(jobsRun, { name });
  return outcome === "failed" ? `failed: ${summary}` : summary;
};

/** Twenty requests one after the other, so that there are enough pings beside each list. */
const repeatedly = (path: string) => async () => {
  for (let round = 0; round < 20; round += 1) await call(path);
};

/** A file of 5,000 people. */
function people(phone: string): Blob {
  const lines = Array.from(
    { length: 5000 },
    (_, at) =>
      `Person ${at},person${at}@import.example,student|pilot,DE.FCL.${at},1990-01-01,${phone},"Am Flugplatz ${at}"`,
  );
  const heading = "name,email,types,licence_number,date_of_birth,phone,street";
  return new Blob([[heading, ...lines].join("\n")], { type: "text/csv" });
}

try {
  let stop = await start();
  const { orgId: busyId } = await signUp(2);
  const { orgId, userId } = await signUp(1);
  const [endpointId, waitingId] = [await addEndpoint(orgId), await addEndpoint(orgId)];
  await stop();
  const began = performance.now();
  await seed({ directory, orgId, userId, endpointId, waitingId, busyId, rows });
  console.log(`${rows} rows of each kind in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  // Its intents stay open until it can be opened, also at the start of the server.
  await rename(join(directory, `${busyId}.db`), join(directory, "away"));
  stop = await start();
  try {
    const org = `/orgs/${orgId}`;
    // Files that were not written by a server are checked before their first use.
    await inServer(check, { org: orgId });
    const list = (path: string): [string, () => Promise<unknown>] => [
      `20 × GET ${path}`.replace(endpointId, "{id}"),
      repeatedly(`${org}${path}`),
    ];
    /** With its total, which takes a second scan. */
    const counted = (path: string) => list(`${path}${path.includes("?") ? "&" : "?"}with_total=true`);
    const works: [name: string, work: () => Promise<unknown>][] = [
      ["nothing", () => Bun.sleep(5000)],
      ["check", () => inServer(check, { org: orgId })],
      ["audit verify", () => inServer(auditVerify, {})],
      counted("/flights"),
      counted("/flights?status=approved"),
      counted("/flights?from=2011-01-01T00:00:00Z"),
      counted("/people"),
      counted("/people?type=student"),
      counted("/audit-log"),
      counted("/audit-log?action=bench.row"),
      list("/integrations/events"),
      list("/integrations/events?type=flight.approved"),
      list(`/integrations/webhook-endpoints/${endpointId}/deliveries`),
      list(`/integrations/webhook-endpoints/${endpointId}/deliveries?status=succeeded`),
      counted("/invites"),
      ["20 × GET /auth/sessions", repeatedly("/auth/sessions")],
      ["20 × GET /debug/dispatcher", repeatedly("/debug/dispatcher")],
      ["a dry run of an import of 5,000 people", () => call(`${org}/people/import?dry_run=true`, people("1"))],
      ["an import of 5,000 new people", () => call(`${org}/people/import`, people("1"))],
      ["an import that changes 5,000 people", () => call(`${org}/people/import`, people("2"))],
      ["an import that changes nothing", () => call(`${org}/people/import`, people("2"))],
      ["jobs run webhook-outbox", job("webhook-outbox")],
      ["jobs run webhook-secret-rotation", job("webhook-secret-rotation")],
      ["jobs run session-cleanup", job("session-cleanup")],
      [
        "jobs run retention",
        async () => {
          // A job opens only schools that are due or were written to. By its schedule, this one is due at night.
          await call(`${org}/people`, { name: "Ada Berg", types: ["pilot"] });
          return job("retention")();
        },
      ],
      [
        "a replay of all, and jobs run event-replays",
        async () => {
          const period = {
            since: "2020-01-01T00:00:00.000Z",
            until: new Date().toISOString(),
            endpoint_id: endpointId,
          };
          await call(`${org}/integrations/replays`, period);
          for (let end = performance.now() + 15_000; performance.now() < end; ) await job("event-replays")();
        },
      ],
      [
        "an endpoint with many pending deliveries is disabled",
        () => call(`${org}/integrations/webhook-endpoints/${waitingId}`, { enabled: false }, "PATCH"),
      ],
      [
        "jobs run intents",
        async () => {
          await rename(join(directory, "away"), join(directory, `${busyId}.db`));
          return job("intents")();
        },
      ],
    ];
    const table: string[][] = [];
    for (const [name, work] of works) {
      if (!only.test(name)) continue;
      const { took, health } = await beside(async () => console.error(name, (await work()) ?? ""));
      const ms = (share: number) => quantile(health, share).toFixed(1);
      table.push([name, (took / 1000).toFixed(2), ms(0.5), ms(0.99), ms(1)]);
      console.error(table.at(-1)?.join(" | "));
      await Bun.sleep(500);
    }
    printTable(["beside", "took, s", "/health: median, ms", "p99, ms", "longest, ms"], table);
  } finally {
    await stop();
  }
} finally {
  receiver.close();
  await rm(directory, { recursive: true, force: true });
  await rm(authorities);
}
process.exit();
