/**
 * Windsock beside the same written by hand (`peers/server.ts`: Hono, bun:sqlite, prepared statements). Both are processes
 * of their own on copies of the same files, with their logs to /dev/null. A third process (`peers/load.ts`) asks one and then
 * the other on 16 connections, in turn; the ratios are of neighbouring runs.
 *
 *   bun scripts/bench/peers.ts [rounds=5] [seconds a run=3] [a part of a row's name]
 */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyRing } from "../../src/core/crypto.ts";
import { flightsBeyondPage, type Load, pathOf, type Question, type Tally } from "./peers/requests.ts";
import { printTable, quantile } from "./post-office.ts";

const [rounds, seconds] = [Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 3)];
const wanted = process.argv[4] ?? "";
const root = join(import.meta.dir, "../..");
const directory = await mkdtemp(join(tmpdir(), "windsock-peers-"));
const [ours, theirs] = [join(directory, "windsock"), join(directory, "peer")];
/** In the tokens of both, so it does not depend on a port. */
const issuer = "http://windsock.test";

interface Server {
  process: Bun.Subprocess;
  port: number;
}

interface Row {
  name: string;
  goal: number;
  question: Question;
  /** Whether the answers to one question must be the same bytes. */
  isRead: boolean;
}

const servers: Server[] = [];
try {
  const school = await makeSchool();
  await cp(ours, theirs, { recursive: true });
  const windsock = await startWindsock();
  const peer = await startPeer(school.orgId);
  const rows = questions(school).filter(({ name }) => name.includes(wanted));
  for (const row of rows) if (row.isRead) await compareBodies(row, windsock, peer);

  const table: string[][] = [];
  for (const { name, goal, question } of rows) {
    const runs: [Run, Run][] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const pair: [Run, Run] = [await run(windsock, question, round), await run(peer, question, round)];
      if (round > 0) runs.push(pair); // the first warms up
    }
    const median = (figure: (pair: [Run, Run]) => number) => quantile(runs.map(figure), 0.5);
    const ratios = runs.map(([one, other]) => one.rate / other.rate);
    table.push([
      name,
      median(([one]) => one.rate).toFixed(0),
      median(([, other]) => other.rate).toFixed(0),
      quantile(ratios, 0.5).toFixed(2),
      `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
      goal.toFixed(1),
      median(([one]) => one.cpu).toFixed(0),
      median(([, other]) => other.cpu).toFixed(0),
    ]);
  }
  const head = [
    "",
    "Windsock/s",
    "by hand/s",
    "ratio",
    "from, to",
    "goal",
    "Windsock, µs of CPU",
    "by hand, µs of CPU",
  ];
  printTable(head, table);
  await stop(windsock);
  await stop(peer);
  for (const files of [ours, theirs]) await verifyAudit(files);
} finally {
  for (const { process } of servers) process.kill();
  await rm(directory, { recursive: true, force: true });
}

interface School {
  orgId: string;
  token: string;
  apiKey: string;
  flightId: string;
  /** A flight to draft. */
  draft: object;
}

function questions({ orgId, token, apiKey, flightId, draft }: School): Row[] {
  const byKey = { authorization: `Bearer ${apiKey}`, "x-org-id": orgId };
  const bySession = { authorization: `Bearer ${token}` };
  const flights = "/api/v1/public/flights?limit=100";
  const get = (name: string, goal: number, path: string, headers: Record<string, string>): Row => ({
    name,
    goal,
    question: { method: "GET", path, headers },
    isRead: true,
  });
  return [
    get("list of 100, each time another question", 1, `${flights}&offset={offset}&from={from}`, byKey),
    get("list of 100, unchanged", 4, flights, byKey),
    get("the organization, through the session", 0.7, `/orgs/${orgId}`, bySession),
    get("a flight, through the session", 0.7, `/orgs/${orgId}/flights/${flightId}`, bySession),
    get("health", 0.5, "/health", {}),
    // Last: it adds to the lists.
    {
      name: "draft a flight, 16 at once",
      goal: 0.7,
      question: { method: "POST", path: `/orgs/${orgId}/flights`, headers: bySession, body: JSON.stringify(draft) },
      isRead: false,
    },
  ];
}

interface Run {
  /** Answers a second. */
  rate: number;
  /** Processor time of the server for each answer, in microseconds: it depends less on what else the machine does. */
  cpu: number;
}

async function run(server: Server, request: Question, round: number): Promise<Run> {
  const load: Load = { port: server.port, request, connections: 16, seconds, first: round * 10_000_000 };
  const before = await processorTime(server);
  const generator = Bun.spawn([process.execPath, join(import.meta.dir, "peers/load.ts")], {
    stdin: new Blob([JSON.stringify(load)]),
    stderr: "inherit",
  });
  const printed = await new Response(generator.stdout).text();
  if ((await generator.exited) !== 0) throw new Error(`${request.path}: the load generator failed.`);
  const tally: Tally = JSON.parse(printed);
  const cpu = ((await processorTime(server)) - before) / tally.answered;
  return { rate: tally.answered / tally.seconds, cpu };
}

/** Microseconds that a process has used, by all of its threads; Linux counts in hundredths of a second. */
async function processorTime({ process }: Server): Promise<number> {
  const stat = await readFile(`/proc/${process.pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** @throws unless both answer the same bytes */
async function compareBodies({ name, question }: Row, windsock: Server, peer: Server): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const [one, other] = await Promise.all(
      [windsock, peer].map(async ({ port }) => {
        const answer = await fetch(`http://127.0.0.1:${port}${pathOf(question, n)}`, { headers: question.headers });
        if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
        return answer.text();
      }),
    );
    if (one === undefined || other === undefined || one === other) continue;
    const at = [...one].findIndex((character, index) => character !== other[index]);
    const near = [one, other].map((body) => body.slice(Math.max(0, at - 100), at + 100));
    throw new Error(`${name}: the bodies differ at character ${at}:\n${near.join("\n")}`);
  }
}

async function startWindsock(): Promise<Server> {
  const port = freePort();
  const env = {
    WINDSOCK_PORT: String(port),
    WINDSOCK_DATA_DIR: ours,
    WINDSOCK_PUBLIC_URL: issuer,
    WINDSOCK_API_KEY_RATE: "999999",
    WINDSOCK_WRITE_RATE: "199999",
  };
  return start(["src/main.ts"], env, port);
}

async function startPeer(orgId: string): Promise<Server> {
  const port = freePort();
  const secret = Buffer.from((await readFile(join(theirs, "secret.key"), "utf8")).trim());
  const env = {
    PEER_PORT: String(port),
    PEER_DATA_DIR: theirs,
    PEER_ORGANIZATION: orgId,
    PEER_TOKEN_KEY: keyRing(secret).key("access-token").toString("base64url"),
    PEER_ISSUER: issuer,
  };
  return start(["scripts/bench/peers/server.ts"], env, port);
}

async function start(args: string[], env: Record<string, string>, port: number): Promise<Server> {
  const server = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdout: "ignore",
    stderr: "ignore",
  });
  servers.push({ process: server, port });
  for (let tries = 0; tries < 100; tries += 1) {
    const isUp = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return { process: server, port };
    await Bun.sleep(50);
  }
  throw new Error(`${args.join(" ")} did not come up.`);
}

async function stop({ process }: Server): Promise<void> {
  process.kill("SIGTERM");
  await process.exited;
}

/** @throws unless every audit row written meanwhile, by Windsock or by hand, continues the chain */
async function verifyAudit(files: string): Promise<void> {
  const verify = Bun.spawn([process.execPath, "src/main.ts", "audit", "verify"], {
    cwd: root,
    env: { ...process.env, WINDSOCK_DATA_DIR: files },
    stderr: "inherit",
  });
  const report = await new Response(verify.stdout).text();
  if ((await verify.exited) !== 0) throw new Error(report);
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = listener;
  listener.stop();
  return port;
}

/** A school with 500 flights, whose files are whole and closed when this returns. */
async function makeSchool(): Promise<School> {
  const windsock = await startWindsock();
  let token = "";
  const post = async (path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${windsock.port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const { data, error } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(error)}`);
    return data;
  };
  const signedUp = await post("/auth/signup-org", {
    email: "ada@bench.example",
    password: "correct horse battery",
    name: "Ada",
    organization: { name: "Bench", kind: "ato" },
  });
  token = signedUp.tokens.access_token;
  const orgId = signedUp.organization.id;
  const aircraft = { registration: "D-EABC", model: "Cessna 172S", icao_type: "C172", class: "SEP" };
  const { id: aircraft_id } = await post(`/orgs/${orgId}/aircraft`, aircraft);
  const { id: instructor } = await post(`/orgs/${orgId}/people`, { name: "Ines", types: ["instructor"] });
  const { id: student } = await post(`/orgs/${orgId}/people`, { name: "Sam", types: ["student"] });
  const crew = [
    { person_id: instructor, function: "instructor" },
    { person_id: student, function: "dual" },
  ];
  const draft = (off: number) => ({
    aircraft_id,
    off_block_at: new Date(off).toISOString(),
    on_block_at: new Date(off + 3_000_000).toISOString(),
    departure: "EDFE",
    arrival: "EDKB",
    day_landings: 1,
    hobbs_start: "10.00",
    hobbs_end: "10.90",
    crew,
  });
  let flightId = "";
  const began = Date.UTC(2026, 0, 1);
  for (let n = 0; n < 100 + flightsBeyondPage; n += 1) {
    const flight = await post(`/orgs/${orgId}/flights`, draft(began + n * 3_600_000));
    flightId = flight.id;
    // The public API shows no drafts.
    await post(`/orgs/${orgId}/flights/${flightId}/submit`, {});
  }
  const scopes = ["public.flights:read"];
  const { token: apiKey } = await post(`/orgs/${orgId}/integrations/api-keys`, { name: "Bench", scopes });
  await stop(windsock);
  return { orgId, token, apiKey, flightId, draft: draft(began) };
}
