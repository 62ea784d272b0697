/**
 * Node processes on one libSQL server under load, while nodes are killed and stopped, the server is killed, and the network is cut.
 * Then it looks whether something that was acknowledged is lost or doubled.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { newAuthority } from "../../events/certificate.ts";
import { type Inbox, newInbox } from "../../runtime/inbox.ts";
import { newFolder, type Running, run, startServer, urlOf } from "../../runtime/processes.ts";
import { newSqld, type Sqld } from "../../support/sqld.ts";
import { Cable, countsFlight } from "./cable.ts";
import { variablesFor } from "./servers.ts";

interface Options {
  /** In this order, and again from the beginning until the time is over. */
  disturbances: readonly Disturbance[];
  /** Milliseconds of work between two disturbances. */
  pause: number;
  /** Milliseconds in all. By default until each disturbance came once. */
  longest?: number;
  clients?: number;
  /** The program of HAProxy in front of the nodes. Without it, a client asks the nodes in turn. */
  haproxy?: string;
  onDisturbance?: (what: Disturbance, gap: number) => void;
}

export const disturbances = [
  "node killed",
  "node stopped for 6 s in a transaction",
  "server killed",
  "network cut",
] as const;
export type Disturbance = (typeof disturbances)[number];

export interface Report {
  /** Flights that went from draft to approval. */
  flights: number;
  /** What is not as acknowledged. */
  faults: string[];
  /** Flights by what was not told of them, or not with one UUID. */
  deliveries: { flights: number; received: number; twice: number; faults: string[] };
  /** Requests that were answered by 409 `answer_lost`. */
  answersLost: number;
  /** The longest times in milliseconds without an acknowledged write. */
  gaps: Partial<Record<Disturbance, number[]>>;
  audit: string;
}

interface Node {
  port: number;
  env: Record<string, string>;
  cable: Cable;
  server: Running;
}

const member = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };
const firstFlight = Date.parse("2026-02-01T06:00:00Z");

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

export async function rush(options: Options): Promise<Report> {
  const sqld = await newSqld();
  const authority = newAuthority();
  const inbox = await newInbox(authority.issue("127.0.0.1"));
  const folder = await newFolder();
  const ca = join(folder, "ca.pem");
  await writeFile(ca, authority.ca);
  const newNode = async (name: string): Promise<Node> => {
    const variables = await variablesFor(sqld, "rush-");
    const url = new URL(z.string().parse(variables.WINDSOCK_STORE_URL).replace("{namespace}", "namespace"));
    const cable = await Cable.to(Number(url.port));
    const port = await freePort();
    const directory = join(folder, name);
    await mkdir(directory, { mode: 0o700 });
    const env = {
      ...variables,
      WINDSOCK_STORE_URL: `http://rush-{namespace}.localhost:${cable.port}`,
      WINDSOCK_DATA_DIR: directory,
      WINDSOCK_PORT: String(port),
      WINDSOCK_PUBLIC_URL: "https://rush.example",
      WINDSOCK_WRITE_RATE: "999999",
      WINDSOCK_WEBHOOK_ALLOW: "127.0.0.1/32",
      WINDSOCK_WEBHOOK_CA: ca,
    };
    const server = await startServer(env);
    await urlOf(server);
    return { port, env, cable, server };
  };
  const nodes = [await newNode("first"), await newNode("second")];
  const [first] = nodes;
  if (first === undefined) throw new Error("There are two.");
  const front = options.haproxy === undefined ? undefined : await startHaproxy(options.haproxy, folder, nodes);
  try {
    return await new Rush({ options, sqld, inbox, nodes, front: front?.port }).run();
  } finally {
    front?.child.kill();
    for (const { server } of nodes) await server[Symbol.asyncDispose]();
    for (const { cable } of nodes) cable.close();
    await inbox.close();
    await sqld.close();
  }
}

async function startHaproxy(program: string, folder: string, nodes: readonly Node[]) {
  const port = await freePort();
  const servers = nodes.map(({ port: of }, at) => `  server n${at} 127.0.0.1:${of} check inter 500ms fall 2 rise 1`);
  const config = `
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 15s
frontend all
  bind 127.0.0.1:${port}
  default_backend windsock
backend windsock
  option httpchk GET /health/ready
  option redispatch
  retries 2
${servers.join("\n")}
`;
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, config);
  const child = spawn(program, ["-f", file, "-db"], { stdio: "ignore" });
  for (let isReady = false; !isReady; await wait(100)) {
    if (child.exitCode !== null) throw new Error("HAProxy has ended.");
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    isReady = answer?.status === 200;
  }
  return { port, child };
}

const Data = z.object({ data: z.object({ id: z.string() }) });
const Reason = z.object({ error: z.object({ code: z.string(), reason: z.string().nullish() }) });
const SignedUp = z.object({
  data: z.object({ tokens: z.object({ access_token: z.string() }), organization: z.object({ id: z.string() }) }),
});
const SignedIn = z.object({ access_token: z.string() });
const Flights = z.object({
  data: z.array(z.object({ id: z.string(), status: z.string(), remarks: z.string().nullable() })),
  page: z.object({ next_cursor: z.string().nullable() }),
});
const Counters = z.object({ data: z.object({ airframe_minutes: z.number() }) });

interface Answer {
  status: number;
  body: unknown;
}

interface Parts {
  options: Options;
  sqld: Sqld;
  inbox: Inbox;
  nodes: readonly Node[];
  front: number | undefined;
}

class Rush {
  readonly #parts: Parts;
  #token = "";
  #path = "";
  #asked = 0;
  #begun = 0;
  #lastAcknowledged = 0;
  #gap = 0;
  #answersLost = 0;
  readonly #faults: string[] = [];
  /** By their remark. */
  readonly #approved = new Map<string, { id: string; minutes: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(): Promise<Report> {
    const { options, inbox } = this.#parts;
    const { clients = 4 } = options;
    const school = await this.#found();
    const before = await this.#minutes(school.aircraft);
    const over = new AbortController();
    this.#acknowledge();
    const work = Promise.all(Array.from({ length: clients }, () => this.#fly(school, over.signal)));
    const gaps = await this.#disturb();
    over.abort();
    await work;
    await this.#deliveriesEnd();
    const listed = await this.#flights();
    const found = new Map(listed.map((flight) => [flight.remarks ?? "", flight]));
    const faults = [...this.#faults];
    for (const [remark, { id }] of this.#approved)
      if (found.get(remark)?.status !== "approved" || found.get(remark)?.id !== id) faults.push(`lost: ${id}`);
    if (found.size !== listed.length) faults.push(`${listed.length - found.size} flights are doubled`);
    const unknown = listed.length - this.#approved.size;
    if (unknown > 0) faults.push(`${unknown} flights that nobody made`);
    const flown = [...this.#approved.values()].reduce((sum, { minutes }) => sum + minutes, 0);
    const counted = (await this.#minutes(school.aircraft)) - before;
    if (counted !== flown) faults.push(`the counter has ${counted} minutes of ${flown}`);
    const audit = await run(["audit", "verify"], {
      env: { ...this.#parts.nodes[0]?.env, WINDSOCK_DATA_DIR: await newFolder() },
    });
    if (audit.code !== 0) faults.push(`audit verify: ${audit.stdout}${audit.stderr}`);
    return {
      flights: this.#approved.size,
      faults,
      deliveries: deliveriesOf(inbox, [...this.#approved.values()]),
      answersLost: this.#answersLost,
      gaps,
      audit: audit.stdout.trim(),
    };
  }

  async #disturb(): Promise<Report["gaps"]> {
    const { options } = this.#parts;
    const gaps: Report["gaps"] = {};
    const until = Date.now() + (options.longest ?? 0);
    for (let at = 0; at < options.disturbances.length || Date.now() < until; at += 1) {
      const what = options.disturbances[at % options.disturbances.length];
      if (what === undefined) break;
      await this.#acknowledged(options.pause);
      this.#gap = 0;
      await this.#make(what, at);
      await this.#acknowledged(options.pause);
      gaps[what] = [...(gaps[what] ?? []), Math.round(this.#gap)];
      options.onDisturbance?.(what, Math.round(this.#gap));
    }
    return gaps;
  }

  /** Lets the work go on, and waits until something was acknowledged after that time. */
  async #acknowledged(pause: number): Promise<void> {
    await wait(pause);
    const since = performance.now();
    while (this.#lastAcknowledged < since) {
      if (performance.now() - since > 120_000) throw new Error("Nothing is acknowledged any more.");
      await wait(50);
    }
  }

  async #make(what: Disturbance, at: number): Promise<void> {
    const { nodes, sqld } = this.#parts;
    const node = nodes[at % nodes.length];
    if (node === undefined) return;
    if (what === "node killed") {
      node.server.signal("SIGKILL");
      await node.server.ended;
      await wait(3000);
      node.server = await startServer(node.env);
      await urlOf(node.server);
    } else if (what === "node stopped for 6 s in a transaction") {
      await node.cable.answered(countsFlight, () => node.server.stopWholly());
      await wait(6000);
      node.server.signal("SIGCONT");
    } else if (what === "server killed") {
      await sqld.kill();
      await wait(1000);
      await sqld.start();
    } else {
      node.cable.stop();
      await wait(8000);
      node.cable.cut();
    }
  }

  #acknowledge(): void {
    const now = performance.now();
    if (this.#lastAcknowledged > 0) this.#gap = Math.max(this.#gap, now - this.#lastAcknowledged);
    this.#lastAcknowledged = now;
  }

  async #found(): Promise<{ aircraft: string; student: string }> {
    const organization = { name: "Windy Hill", kind: "ato" };
    const { tokens, organization: made } = SignedUp.parse(
      (await this.#ask("POST", "/auth/signup-org", { ...member, organization })).body,
    ).data;
    this.#token = tokens.access_token;
    this.#path = `/orgs/${made.id}`;
    const make = async (path: string, body: object) => Data.parse(await this.#do(path, body)).data.id;
    const aircraft = await make("/aircraft", { registration: "D-EABC", model: "Cessna 172S", class: "SEP" });
    const student = await make("/people", { name: "Sam Student", types: ["student"] });
    const medical = { person_id: student, type: "medical", level: "class_2", issued_on: "2026-01-10" };
    await make("/compliance/records", { ...medical, valid_until: "2031-01-10" });
    const { url } = this.#parts.inbox;
    await make("/integrations/webhook-endpoints", { url, event_types: ["flight.approved"] });
    return { aircraft, student };
  }

  async #fly({ aircraft, student }: { aircraft: string; student: string }, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const at = this.#begun++;
      const start = firstFlight + at * 90 * 60_000;
      const [minutes, remarks] = [30 + (at % 30), `flight ${at}`];
      const draft = {
        aircraft_id: aircraft,
        off_block_at: new Date(start).toISOString(),
        on_block_at: new Date(start + minutes * 60_000).toISOString(),
        departure: "EDFE",
        arrival: "EDKB",
        crew: [{ person_id: student, function: "solo" }],
        remarks,
      };
      try {
        const made = await this.#do("/flights", draft);
        const id = made === undefined ? await this.#idOf(remarks) : Data.parse(made).data.id;
        await this.#do(`/flights/${id}/submit`);
        await this.#do(`/flights/${id}/approve`);
        this.#approved.set(remarks, { id, minutes });
      } catch (error) {
        this.#faults.push(`${remarks}: ${error instanceof Error ? error.message : String(error)}`);
        return;
      }
    }
  }

  /** Repeats a request with one key until it is acknowledged. @returns undefined if only its answer was lost */
  async #do(path: string, body?: object): Promise<unknown> {
    const key = crypto.randomUUID();
    for (;;) {
      const answer = await this.#ask("POST", this.#path + path, body, key).catch(() => undefined);
      if (answer === undefined || answer.status >= 500) {
        await wait(100);
        continue;
      }
      if (answer.status === 401) {
        await this.#logIn();
        continue;
      }
      if (answer.status === 409) {
        const { reason } = Reason.parse(answer.body).error;
        if (reason === "request_in_progress") {
          await wait(100);
          continue;
        }
        if (reason === "answer_lost") {
          this.#answersLost += 1;
          this.#acknowledge();
          return undefined;
        }
      }
      if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      this.#acknowledge();
      return answer.body;
    }
  }

  async #logIn(): Promise<void> {
    const { email, password } = member;
    const answer = await this.#ask("POST", "/auth/login", { email, password }).catch(() => undefined);
    if (answer?.status === 200) this.#token = SignedIn.parse(answer.body).access_token;
    else await wait(500);
  }

  /** Asks HAProxy, or the nodes in turn. @throws there is no answer */
  async #ask(method: string, path: string, body?: object, key?: string): Promise<Answer> {
    const { nodes, front } = this.#parts;
    const port = front ?? nodes[this.#asked++ % nodes.length]?.port;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(this.#token !== "" && { authorization: `Bearer ${this.#token}` }),
        ...(body && { "content-type": "application/json" }),
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(12_000),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
  }

  async #get(path: string): Promise<unknown> {
    for (;;) {
      const answer = await this.#ask("GET", this.#path + path).catch(() => undefined);
      if (answer?.status === 200) return answer.body;
      if (answer?.status === 401) await this.#logIn();
      await wait(200);
    }
  }

  async #minutes(aircraft: string): Promise<number> {
    return Counters.parse(await this.#get(`/aircraft/${aircraft}`)).data.airframe_minutes;
  }

  async #flights() {
    const all: z.infer<typeof Flights>["data"] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const from = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page = Flights.parse(await this.#get(`/flights?limit=100${from}`));
      all.push(...page.data);
      cursor = page.page.next_cursor;
    }
    return all;
  }

  async #idOf(remarks: string): Promise<string> {
    const found = (await this.#flights()).find((flight) => flight.remarks === remarks);
    if (found === undefined) throw new Error("The flight that was carried out is not there.");
    return found.id;
  }

  /** Waits until each flight was told. */
  async #deliveriesEnd(): Promise<void> {
    const until = Date.now() + 200_000;
    const { inbox } = this.#parts;
    while (Date.now() < until) {
      const told = new Set(inbox.deliveries.map(({ event }) => flightOf(event.data)));
      if ([...this.#approved.values()].every(({ id }) => told.has(id))) return;
      await wait(500);
    }
  }
}

const Told = z.object({ flight: z.object({ id: z.string() }) });
const flightOf = (data: unknown) => Told.parse(data).flight.id;

function deliveriesOf(inbox: Inbox, approved: readonly { id: string }[]): Report["deliveries"] {
  const byFlight = Map.groupBy(inbox.deliveries, ({ event }) => flightOf(event.data));
  const faults: string[] = [];
  let twice = 0;
  for (const { id } of approved) {
    const received = byFlight.get(id) ?? [];
    if (received.length === 0) faults.push(`${id} was not told`);
    if (received.length > 1) twice += 1;
    if (new Set(received.map((delivery) => delivery.id)).size > 1) faults.push(`${id} was told with two UUIDs`);
  }
  return { flights: byFlight.size, received: inbox.deliveries.length, twice, faults };
}
