/**
 * How long `/health` takes beside each command, job and list that reads or changes many rows. A request of `/health` starts
 * every 5 ms, whether or not the last one has ended, so a stall of a second counts 200 times.
 *
 *   bun scripts/bench/long-work.ts [rows=300000] [only, a regular expression]
 */
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { Problem } from "../../src/core/errors.ts";
import { isId, type OrgId } from "../../src/core/ids.ts";
import type { Command } from "../../src/modules/operations/command.ts";
import { auditVerify, check, jobsRun } from "../../src/modules/operations/commands.ts";
import { callServer } from "../../src/modules/operations/operator-client.ts";
import { firstId, seed } from "./long-work/seed.ts";
import { printTable, quantile, startReceiver } from "./post-office.ts";
import { freePort, healthBeside, startServer } from "./server.ts";

const rows = Number(process.argv[2] ?? 300_000);
const only = new RegExp(process.argv[3] ?? "");
/** Work that takes longer is measured for this time; the next work begins when it has ended. */
const longest = 30_000;

const directory = await mkdtemp(join(tmpdir(), "windsock-long-work-"));
const receiver = await startReceiver();
const authorities = `${directory}.pem`;
await writeFile(authorities, receiver.ca);
const port = freePort();
const mails = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  disableReverseLookup: true,
  onData: (stream, _, done) => void stream.resume().on("end", done),
});
const mailPort = freePort();
mails.listen(mailPort, "127.0.0.1");
const password = "correct horse battery";
const url = `http://127.0.0.1:${port}`;
let token = "";
/** The server's process. */
let pid = 0;

async function start(): Promise<() => Promise<void>> {
  const server = await startServer(port, directory, {
    WINDSOCK_DEBUG_ENDPOINTS: "1",
    WINDSOCK_WEBHOOK_ALLOW: "127.0.0.0/8",
    WINDSOCK_WEBHOOK_CA: authorities,
    WINDSOCK_SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
  });
  pid = server.pid;
  return server.stop;
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
    password,
    name: "Olga Lindner",
    organization: { name: `School ${index}`, kind: "ato", time_zone: "Europe/Berlin", currency: "EUR" },
  });
  token = data.tokens.access_token;
  const { id } = data.organization;
  if (!isId<"organization">(id)) throw new Error("This is no id.");
  return { orgId: id, userId: data.user.id };
}

/** An access token is valid for 15 minutes, and the whole table takes longer. */
async function signIn(index: number): Promise<void> {
  token = "";
  token = (await call("/auth/login", { email: `owner${index}@bench.example`, password })).access_token;
}

async function addEndpoint(orgId: OrgId) {
  const endpoint = { url: receiver.url.replace("receiver.test", "127.0.0.1"), event_types: ["flight.approved"] };
  const { id } = (await call(`/orgs/${orgId}/integrations/webhook-endpoints`, endpoint)).data;
  if (!isId<"webhook_endpoint">(id)) throw new Error("This is no id.");
  return id;
}

const inServer = <Args, Result>(command: Command<Args, Result>, args: Args) => callServer(directory, command, args);
const job = (name: string) => async () => {
  for (;;) {
    try {
      const { outcome, summary } = await inServer(jobsRun, { name });
      return outcome === "failed" ? `failed: ${summary}` : summary;
    } catch (error) {
      if (!(error instanceof Problem) || error.reason !== "job_running") throw error;
      await Bun.sleep(20); // its schedule has started it
    }
  }
};

/** Reads a response to its end. @returns its size */
const download = (path: string, accept: string) => async () => {
  const response = await fetch(`${url}${path}`, { headers: { accept, authorization: `Bearer ${token}` } });
  if (!response.ok || response.body === null) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  return `${(bytes / 1e6).toFixed(1)} MB`;
};

/** Returns the memory of the server in MB. On Linux only. */
const residentMb = async () => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Requests an evidence pack, and waits until it is built. @returns its size, and how much more memory that took */
const evidencePack = (org: string, body: object) => async () => {
  const before = await residentMb();
  const { id } = (await call(`${org}/evidence-packs`, body)).data;
  for (let most = before; ; await Bun.sleep(20)) {
    most = Math.max(most, await residentMb());
    const { status, failure, size_bytes } = (await call(`${org}/evidence-packs/${id}`)).data;
    if (status === "failed") throw new Error(failure);
    if (status === "ready")
      return `${(size_bytes / 1e6).toFixed(1)} MB; memory ${before.toFixed(0)} to ${most.toFixed(0)} MB`;
  }
};

/** A PDF of 10 MB, as far as an upload looks at it. */
const scan = () => new Blob(["%PDF-1.7\n", new Uint8Array(10_000_000), "\n%%EOF\n"], { type: "application/pdf" });

/** A file of 5,000 past flights. */
function pastFlights(): Blob {
  const lines = Array.from({ length: 5000 }, (_, at) => {
    const from = new Date(Date.UTC(2005, 0, 1, at));
    const to = new Date(from.getTime() + 1_800_000);
    return `D-EZ1,${from.toISOString()},${to.toISOString()},EDFE,EDKB,1,p1@bench.example`;
  });
  const heading = "registration,off_block_at,on_block_at,departure,arrival,day_landings,pic";
  return new Blob([[heading, ...lines].join("\n")], { type: "text/csv" });
}

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
    /** A job opens only schools that are due or were written to. The rows were not written by the server. */
    const jobAfterWrite = (name: string) => async () => {
      await call(`${org}/people`, { name: "Ada Berg", types: ["pilot"] });
      return job(name)();
    };
    const works: [name: string, work: () => Promise<unknown>][] = [
      ["nothing", () => Bun.sleep(5000)],
      ["jobs run mail-sending", jobAfterWrite("mail-sending")],
      ["jobs run attachment-uploads", jobAfterWrite("attachment-uploads")],
      [
        "an upload of 10 MB, and its download",
        async () => {
          const defect = await call(`${org}/aircraft/${firstId}/defects`, { description: "Brake drags." });
          const files = `${org}/aircraft/${firstId}/defects/${defect.data.id}/attachments`;
          for (let round = 0; round < 5; round += 1) {
            const { data } = await call(`${files}?filename=scan.pdf`, scan());
            await download(`${files}/${data.id}/content`, "*/*")();
          }
        },
      ],
      counted("/compliance/records"),
      counted("/compliance/evaluations"),
      counted("/maintenance/items"),
      ["GET /flights as CSV", download(`${org}/flights`, "text/csv")],
      ["GET /people as CSV", download(`${org}/people`, "text/csv")],
      ["a logbook", download(`${org}/people/${firstId}/logbook`, "application/json")],
      ["a logbook as CSV", download(`${org}/people/${firstId}/logbook`, "text/csv")],
      ["a logbook as PDF", download(`${org}/people/${firstId}/logbook`, "application/pdf")],
      ["a journey log as PDF", download(`${org}/aircraft/${firstId}/journey-log`, "application/pdf")],
      ["an evidence pack of a pilot", evidencePack(org, { type: "pilot_portable", person_id: firstId })],
      ["an evidence pack of the organization", evidencePack(org, { type: "compliance_pack" })],
      ["an import of 5,000 past flights", () => call(`${org}/flights/import`, pastFlights())],
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
      ["jobs run retention", jobAfterWrite("retention")],
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
      ["the export of a person", download(`${org}/people/${firstId}/export`, "*/*")],
      ["the erasure of a person", () => call(`${org}/people/${firstId}/erase`, {})],
      // They queue a mail for each row, which take minutes to send.
      ["jobs run medical-expiry", jobAfterWrite("medical-expiry")],
      ["jobs run compliance-evaluation", jobAfterWrite("compliance-evaluation")],
      ["jobs run maintenance-due", jobAfterWrite("maintenance-due")],
    ];
    const table: string[][] = [];
    for (const [name, work] of works) {
      if (!only.test(name)) continue;
      await signIn(1);
      const { took, health } = await healthBeside(url, async () => console.error(name, (await work()) ?? ""), longest);
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
  mails.close(() => undefined);
  await rm(directory, { recursive: true, force: true });
  await rm(authorities);
}
process.exit();
