/**
 * Kills a server at random moments while a school is at work, again and again, and then looks whether anything that was
 * acknowledged is lost: `bun scripts/torture.ts [rounds=200] [seed]`. Exits with 1 if so.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { createClient } from "@libsql/client";
import { verify } from "@octokit/webhooks-methods";
import { newAuthority } from "../test/events/certificate.ts";
import { newReceiver, type Received, type Receiver } from "../test/events/receiver.ts";

interface Options {
  rounds: number;
  /** Of everything random but the machine's own pace. */
  seed: number;
  /** The longest a round's server works before it is killed, in milliseconds. */
  longest?: number;
  /** The program and its first arguments. By default Bun with the sources. */
  command?: readonly [string, ...string[]];
  /** Told after each round. */
  onRound?: (round: number) => void;
}

interface Report {
  /** What was done and found, for people. */
  table: Record<string, string | number>;
  /** What must not be; empty when all is well. */
  violations: string[];
  /** Where the data is; removed when there is no violation. */
  directory: string;
}

const password = "correct horse battery";
const email = "olga@torture.example";
const clients = 4;
/** Far below the 15 minutes that an access token lasts, so that logins are killed as well. */
const tokenAge = 60_000;
const tellingTypes = ["flight.submitted", "flight.approved", "flight.rejected"] as const;
type Telling = (typeof tellingTypes)[number];

/** What the clients asked for and what they were promised, of one flight. */
interface Asked {
  sent: Record<Telling | "reversed", number>;
  acknowledged: Record<Telling | "reversed", number>;
}

/** Somebody who is told. */
interface Endpoint {
  id: string;
  secret: string;
  types: readonly string[];
}

/** What became of one delivery at the receiver. */
interface Arrived {
  endpoint: string | undefined;
  event: string;
  type: string;
  digest: string;
  times: number;
  accepted: number;
}

/** The server is gone: no answer came, so nobody knows whether the change was made. */
class Gone extends Error {}

export async function torture(options: Options): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), "windsock-torture-"));
  const bench = await Torture.setUp(directory, options);
  try {
    const report = await bench.run();
    if (report.violations.length === 0) await rm(directory, { recursive: true, force: true });
    return report;
  } finally {
    await bench.close();
  }
}

class Torture {
  readonly #options: Required<Options>;
  readonly #directory: string;
  readonly #env: Record<string, string>;
  readonly #receiver: Receiver;
  readonly #random: () => number;
  readonly #flights = new Map<string, Asked>();
  #begun = 0;
  readonly #arrived = new Map<string, Arrived>();
  readonly #violations: string[] = [];
  #child: ChildProcess | undefined;
  #url = "";
  #org = "";
  #aircraft: string[] = [];
  #student = "";
  #instructor = "";
  /** By the path that they have at the receiver. */
  readonly #endpoints = new Map<string, Endpoint>();
  #token = "";
  #tokenSince = 0;
  #checks: Promise<void>[] = [];
  #lastArrival = 0;
  #refused = 0;
  #killedAtStart = 0;
  #unacknowledged = 0;

  private constructor(directory: string, ca: string, receiver: Receiver, options: Options) {
    const command = [process.execPath, join(import.meta.dir, "../src/main.ts")] as const;
    this.#options = { longest: 1500, command, onRound: () => undefined, ...options };
    this.#directory = directory;
    this.#receiver = receiver;
    this.#random = randomFrom(options.seed);
    const inherited = Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith("WINDSOCK_") ? [] : [[name, value] as const],
    );
    this.#env = {
      ...Object.fromEntries(inherited),
      WINDSOCK_PORT: "0",
      WINDSOCK_DATA_DIR: join(directory, "data"),
      WINDSOCK_WEBHOOK_ALLOW: "127.0.0.1/32",
      WINDSOCK_WEBHOOK_CA: ca,
      WINDSOCK_LOG_LEVEL: "error",
    };
    receiver.answer = (response, received) => {
      // What was said is kept as a digest: there is a lot of it.
      receiver.received.length = 0;
      const accepts = this.#arrive(received);
      const answer = () => response.writeHead(accepts ? 204 : 500).end();
      // Some receivers think, so that kills fall between the request and its record.
      if (this.#random() < 0.3) setTimeout(answer, this.#random() * 40);
      else answer();
    };
  }

  static async setUp(directory: string, options: Options): Promise<Torture> {
    const authority = newAuthority();
    const ca = join(directory, "ca.pem");
    await writeFile(ca, authority.ca);
    return new Torture(directory, ca, await newReceiver(authority.issue("127.0.0.1")), options);
  }

  async close(): Promise<void> {
    await this.#end("SIGKILL");
    await this.#receiver.close();
  }

  async run(): Promise<Report> {
    const started = performance.now();
    await this.#start();
    await this.#found();
    for (let round = 1; round <= this.#options.rounds; round += 1) {
      await this.#round();
      this.#options.onRound(round);
    }
    const perRound = Math.round((performance.now() - started) / this.#options.rounds);
    const drains = await this.#drain();
    await this.#checkAudit();
    const found = await this.#check();
    const table = {
      rounds: this.#options.rounds,
      seed: this.#options.seed,
      "killed before it served": this.#killedAtStart,
      "requests without an answer": this.#unacknowledged,
      "flights drafted": this.#flights.size,
      "approvals acknowledged": this.#sum("acknowledged", "flight.approved"),
      "submissions acknowledged": this.#sum("acknowledged", "flight.submitted"),
      "rejections acknowledged": this.#sum("acknowledged", "flight.rejected"),
      "reversals acknowledged": this.#sum("acknowledged", "reversed"),
      ...found,
      "deliveries received": this.#arrived.size,
      "received more than once": [...this.#arrived.values()].filter(({ times }) => times > 1).length,
      "deliveries our receiver refused": this.#refused,
      "last starts until all was delivered": drains,
      "ms a round": perRound,
      violations: this.#violations.length,
    };
    return { table, violations: this.#violations, directory: this.#directory };
  }

  #sum(what: keyof Asked, type: Telling | "reversed"): number {
    return [...this.#flights.values()].reduce((sum, asked) => sum + asked[what][type], 0);
  }

  // The server.

  #spawn(): { child: ChildProcess; serving: Promise<string | undefined> } {
    const [file, ...first] = this.#options.command;
    const child = spawn(file, first, {
      cwd: this.#directory,
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    let errors = "";
    const serving = new Promise<string | undefined>((resolve) => {
      child.stderr?.on("data", (text) => {
        errors += text;
        const [, url] = /serving at (http:\S+)\s/.exec(errors) ?? [];
        if (url !== undefined) resolve(url);
      });
      child.on("close", (code) => {
        if (code !== null && code !== 0) this.#violations.push(`The server ended with ${code}: ${errors}`);
        resolve(undefined);
      });
    });
    // It logs errors only, and there should be none.
    child.stdout?.on("data", (text) => this.#violations.push(`The server logged: ${text}`));
    return { child, serving };
  }

  async #start(): Promise<void> {
    const url = await this.#spawn().serving;
    if (url === undefined) throw new Error(`The server does not start: ${this.#violations.join("\n")}`);
    this.#url = url;
  }

  /** @returns the exit code, null after a kill */
  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null;
    const closed = once(child, "close");
    child.kill(signal);
    return (await closed)[0];
  }

  async #round(): Promise<void> {
    if (this.#child === undefined) {
      const { serving } = this.#spawn();
      // Now and then it is killed while it starts, recovery and all.
      if (this.#random() < 0.15) {
        const url = await Promise.race([serving, wait(this.#random() * 900)]);
        if (url === undefined) {
          this.#killedAtStart += 1;
          await this.#end("SIGKILL");
          return;
        }
        this.#url = url;
      } else {
        const url = await serving;
        if (url === undefined) throw new Error(`The server does not start again: ${this.#violations.join("\n")}`);
        this.#url = url;
      }
    }
    const over = new AbortController();
    const work = Promise.all(Array.from({ length: clients }, () => this.#work(over.signal)));
    await wait(5 + this.#random() ** 1.5 * this.#options.longest);
    const ended = this.#end("SIGKILL");
    over.abort();
    await Promise.all([ended, work]);
  }

  // The clients.

  async #ask(method: string, path: string, body?: object, onAcknowledged?: () => void) {
    const answer = await fetch(this.#url + path, {
      method,
      headers: {
        ...(this.#token !== "" && { authorization: `Bearer ${this.#token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => {
      this.#unacknowledged += 1;
      throw new Gone();
    });
    // From here on it is promised, whether or not the body still arrives.
    if (answer.ok) onAcknowledged?.();
    const text = await answer.text().catch(() => {
      throw new Gone();
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    try {
      return JSON.parse(text);
    } catch {
      throw new Gone(); // Cut off in the middle.
    }
  }

  async #found(): Promise<void> {
    const organization = { name: "Torture", kind: "ato" };
    const { data } = await this.#ask("POST", "/auth/signup-org", { email, password, name: "Olga Owner", organization });
    this.#org = data.organization.id;
    this.#token = data.tokens.access_token;
    this.#tokenSince = Date.now();
    const path = `/orgs/${this.#org}`;
    for (const registration of ["D-EABC", "D-EFGH", "D-EIJK"]) {
      const aircraft = { registration, model: "Cessna 172S", class: "SEP", hobbs: "1000.00", airframe_minutes: 60_000 };
      this.#aircraft.push((await this.#ask("POST", `${path}/aircraft`, aircraft)).data.id);
    }
    this.#student = (await this.#ask("POST", `${path}/people`, { name: "Sam Student", types: ["student"] })).data.id;
    const instructor = { name: "Ines Instructor", types: ["instructor"] };
    this.#instructor = (await this.#ask("POST", `${path}/people`, instructor)).data.id;
    // A solo without a medical is not approved. The flights begin in 2000.
    const medical = { person_id: this.#student, type: "medical", level: "class_2", issued_on: "1999-12-31" };
    await this.#ask("POST", `${path}/compliance/records`, { ...medical, valid_until: "2099-12-31" });
    for (const [at, types] of [
      ["/all", tellingTypes],
      ["/approvals", ["flight.approved"]],
    ] as const) {
      const endpoint = { url: `https://127.0.0.1:${this.#receiver.port}${at}`, event_types: types };
      const { id, secret } = (await this.#ask("POST", `${path}/integrations/webhook-endpoints`, endpoint)).data;
      this.#endpoints.set(at, { id, secret, types });
    }
  }

  async #renewToken(): Promise<void> {
    if (Date.now() - this.#tokenSince < tokenAge) return;
    this.#token = (await this.#ask("POST", "/auth/login", { email, password })).access_token;
    this.#tokenSince = Date.now();
  }

  /** One client, which flies until the server is gone. */
  async #work(over: AbortSignal): Promise<void> {
    try {
      await this.#renewToken();
      while (!over.aborted) await this.#fly();
    } catch (error) {
      if (error instanceof Gone) {
        if (!over.aborted && this.#child !== undefined) this.#violations.push("The server gave no answer.");
      } else this.#violations.push(error instanceof Error ? error.message : String(error));
    }
  }

  async #fly(): Promise<void> {
    const path = `/orgs/${this.#org}/flights`;
    const minutes = 20 + Math.floor(this.#random() * 90);
    const start = 100_000 + Math.floor(this.#random() * 1000);
    // One after the other: the student is in one flight at a time.
    const off = Date.UTC(2000, 0, 1) + this.#begun++ * 120 * 60_000;
    const at = (offset: number) => new Date(off + offset * 60_000).toISOString();
    const drafted = await this.#ask("POST", path, {
      aircraft_id: this.#aircraft[Math.floor(this.#random() * this.#aircraft.length)],
      off_block_at: at(0),
      take_off_at: at(5),
      landing_at: at(minutes - 5),
      on_block_at: at(minutes),
      departure: "EDFE",
      arrival: "EDFE",
      day_landings: 1,
      hobbs_start: hours(start),
      hobbs_end: hours(start + minutes),
      crew: [{ person_id: this.#student, function: "solo" }],
      supervisor_id: this.#instructor,
    });
    const flight = `${path}/${drafted.data.id}`;
    const asked = { sent: nothing(), acknowledged: nothing() };
    this.#flights.set(drafted.data.id, asked);
    const move = async (verb: string, type: Telling | "reversed", body?: object) => {
      asked.sent[type] += 1;
      await this.#ask("POST", `${flight}/${verb}`, body, () => {
        asked.acknowledged[type] += 1;
      });
    };

    await move("submit", "flight.submitted");
    if (this.#random() < 0.1) await this.#ask("PATCH", flight, { hobbs_end: hours(start + minutes + 7) });
    if (this.#random() < 0.1) {
      await move("reject", "flight.rejected", { reason: "The Hobbs readings are of the flight before." });
      await this.#ask("PATCH", flight, { remarks: "Read again.", hobbs_end: hours(start + minutes + 3) });
      await move("submit", "flight.submitted");
    }
    await move("approve", "flight.approved");
    if (this.#random() < 0.1) await move("reverse", "reversed", { reason: "Entered twice." });
  }

  // The receiver.

  /** @returns whether it takes it: it refuses some, but each only once, so that none runs out of attempts */
  #arrive({ path, headers, body }: Received): boolean {
    this.#lastArrival = performance.now();
    const id = String(headers["x-svc-webhook-delivery"]);
    const { event } = JSON.parse(body);
    const digest = createHash("sha256").update(body).digest("hex");
    const endpoint = this.#endpoints.get(path);
    this.#checks.push(
      verify(endpoint?.secret ?? "nobody's", body, String(headers["x-svc-webhook-signature"])).then((isGenuine) => {
        if (!isGenuine) this.#violations.push(`Delivery ${id} has a bad signature.`);
      }),
    );
    const known = this.#arrived.get(id);
    const accepts = known !== undefined || this.#random() >= 0.02;
    if (!accepts) this.#refused += 1;
    if (known === undefined) {
      const { id: eventId, type } = event;
      this.#arrived.set(id, {
        endpoint: endpoint?.id,
        event: eventId,
        type,
        digest,
        times: 1,
        accepted: accepts ? 1 : 0,
      });
    } else {
      known.times += 1;
      known.accepted += 1;
      if (known.digest !== digest) this.#violations.push(`Delivery ${id} was repeated with another body.`);
      if (known.endpoint !== endpoint?.id) this.#violations.push(`Delivery ${id} was repeated to somebody else.`);
    }
    return accepts;
  }

  // The end.

  /** Starts the server until nothing is left to deliver. @returns how often that took */
  async #drain(): Promise<number> {
    for (let starts = 1; ; starts += 1) {
      await this.#start();
      this.#lastArrival = performance.now();
      const deadline = performance.now() + 60_000;
      // Refused ones come again after a second; with nothing for longer than that, all should be there.
      while (performance.now() - this.#lastArrival < 1500 && performance.now() < deadline) await wait(100);
      const code = await this.#end("SIGTERM");
      if (code !== 0) this.#violations.push(`After SIGTERM it ended with ${code}.`);
      const [row] = await this.#rows("select count(*) as n from deliveries where status in ('pending', 'delivering')");
      if (row?.n === 0 || starts === 5) return starts;
    }
  }

  async #checkAudit(): Promise<void> {
    const [file, ...first] = this.#options.command;
    const child = spawn(file, [...first, "audit", "verify"], { cwd: this.#directory, env: this.#env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text) => {
        output += text;
      });
    const [code] = await once(child, "close");
    if (code !== 0 || !/^control: \d+ rows, ok\n\S+: \d+ rows, ok\n$/.test(output))
      this.#violations.push(`audit verify ended with ${code}: ${output}`);
  }

  async #check(): Promise<Record<string, string | number>> {
    await Promise.all(this.#checks);
    const files = await this.#checkFiles();
    const events = await this.#rows("select id, type, json_extract(data, '$.flight.id') as flight from events");
    const statuses = new Map((await this.#rows("select id, status from flights")).map((row) => [row.id, row.status]));
    const deliveries = await this.#rows("select id, event_id, endpoint_id, status from deliveries");
    this.#checkFlights(events, statuses);
    this.#checkDeliveries(events, deliveries);
    await this.#checkCounters();
    return { events: events.length, "databases checked": files };
  }

  /** Every database whole, and all of it in its one file. */
  async #checkFiles(): Promise<number> {
    const data = join(this.#directory, "data");
    const names = await readdir(data);
    for (const name of names.filter((each) => each.endsWith("-wal"))) {
      if ((await stat(join(data, name))).size > 0) this.#violations.push(`${name} is not empty.`);
    }
    const databases = names.filter((each) => each.endsWith(".db"));
    for (const name of databases) {
      const client = createClient({ url: `file:${join(data, name)}` });
      const said = (await client.execute("pragma integrity_check")).rows.map((row) => row[0]);
      const orphans = (await client.execute("pragma foreign_key_check")).rows.length;
      client.close();
      if (said.join() !== "ok") this.#violations.push(`${name}: ${said.join("; ")}`);
      if (orphans > 0) this.#violations.push(`${name}: ${orphans} rows refer to nothing.`);
    }
    return databases.length;
  }

  /** All that was promised is there, and nothing that nobody asked for. */
  #checkFlights(events: readonly Row[], statuses: ReadonlyMap<unknown, unknown>): void {
    const told = new Map<string, number>();
    for (const { type, flight } of events) {
      const key = `${type} ${flight}`;
      told.set(key, (told.get(key) ?? 0) + 1);
    }
    for (const [id, { sent, acknowledged }] of this.#flights) {
      const status = statuses.get(id);
      if (status === undefined) this.#violations.push(`Flight ${id} was drafted and is gone.`);
      for (const type of tellingTypes) {
        const count = told.get(`${type} ${id}`) ?? 0;
        if (count < acknowledged[type] || count > sent[type])
          this.#violations.push(
            `Flight ${id}: ${count} ${type}, sent ${sent[type]}, acknowledged ${acknowledged[type]}.`,
          );
      }
      const isPosted = status === "approved" || status === "reversed";
      if (isPosted !== (told.get(`flight.approved ${id}`) === 1))
        this.#violations.push(`Flight ${id} is ${status}, and has ${told.get(`flight.approved ${id}`)} approvals.`);
      if (acknowledged.reversed > 0 && status !== "reversed")
        this.#violations.push(`Flight ${id} was reversed, and is ${status}.`);
    }
  }

  #checkDeliveries(events: readonly Row[], deliveries: readonly Row[]): void {
    const byEvent = new Map<unknown, Row[]>();
    for (const row of deliveries) byEvent.set(row.event_id, [...(byEvent.get(row.event_id) ?? []), row]);
    for (const { id, type } of events) {
      const queued = byEvent.get(id) ?? [];
      const told = queued.map(({ endpoint_id }) => String(endpoint_id)).sort();
      const toBeTold = [...this.#endpoints.values()].filter(({ types }) => types.includes(String(type)));
      if (
        told.join() !==
        toBeTold
          .map((endpoint) => endpoint.id)
          .sort()
          .join()
      )
        this.#violations.push(`Event ${id}, ${type}, was for ${told.join(" ")}.`);
      for (const { id: delivery, endpoint_id, status } of queued) {
        const arrived = this.#arrived.get(String(delivery));
        if (status !== "succeeded") this.#violations.push(`Delivery ${delivery} is ${status}.`);
        if (arrived === undefined || arrived.accepted === 0)
          this.#violations.push(`Delivery ${delivery} of ${type} never arrived.`);
        else if (arrived.event !== id || arrived.type !== type || arrived.endpoint !== endpoint_id)
          this.#violations.push(`Delivery ${delivery} brought ${arrived.event}, not ${id}.`);
      }
    }
    const known = new Set(deliveries.map(({ id }) => id));
    for (const [id, { event }] of this.#arrived)
      if (!known.has(id)) this.#violations.push(`Delivery ${id} of ${event} arrived, and nobody knows of it.`);
  }

  /** Against the flights themselves, and against what was posted. */
  async #checkCounters(): Promise<void> {
    const rows = await this.#rows(`
      select a.registration, a.hobbs, a.airframe_minutes,
        a.opening_hobbs + coalesce(f.hobbs, 0) as hobbs_flown,
        a.opening_airframe_minutes + coalesce(f.minutes, 0) as minutes_flown,
        a.opening_hobbs + coalesce(p.hobbs, 0) as hobbs_posted,
        a.opening_airframe_minutes + coalesce(p.minutes, 0) as minutes_posted
      from aircraft a
      left join (
        select aircraft_id, sum(hobbs_end - hobbs_start) as hobbs,
          sum((unixepoch(landing_at) - unixepoch(take_off_at)) / 60) as minutes
        from flights where status = 'approved' group by aircraft_id) f on f.aircraft_id = a.id
      left join (
        select aircraft_id, sum(hobbs) as hobbs, sum(airframe_minutes) as minutes
        from counter_postings group by aircraft_id) p on p.aircraft_id = a.id`);
    if (rows.length !== this.#aircraft.length) this.#violations.push(`There are ${rows.length} aircraft.`);
    for (const row of rows) {
      if (row.hobbs !== row.hobbs_flown || row.hobbs !== row.hobbs_posted)
        this.#violations.push(`${row.registration}: Hobbs ${row.hobbs}, ${row.hobbs_flown}, ${row.hobbs_posted}.`);
      if (row.airframe_minutes !== row.minutes_flown || row.airframe_minutes !== row.minutes_posted)
        this.#violations.push(
          `${row.registration}: airframe ${row.airframe_minutes}, ${row.minutes_flown}, ${row.minutes_posted}.`,
        );
    }
  }

  /** Of the school's database; only while no server runs. */
  async #rows(sql: string): Promise<Row[]> {
    const client = createClient({ url: `file:${join(this.#directory, "data", `${this.#org}.db`)}` });
    const { rows, columns } = await client.execute(sql);
    client.close();
    return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
  }
}

type Row = Record<string, unknown>;

const nothing = () => ({ "flight.submitted": 0, "flight.approved": 0, "flight.rejected": 0, reversed: 0 });

/** Hundredths of an hour, as the wire has them. */
const hours = (hundredths: number): string => (hundredths / 100).toFixed(2);

const wait = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, ms, undefined));

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const [rounds = "200", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
  const { table, violations, directory } = await torture({
    rounds: Number(rounds),
    seed: Number(seed),
    onRound: (round) => round % 10 === 0 && process.stderr.write(`${round} `),
  });
  process.stderr.write("\n");
  for (const [name, value] of Object.entries(table)) process.stdout.write(`${name.padEnd(38)}${value}\n`);
  for (const violation of violations.slice(0, 50)) process.stdout.write(`VIOLATION ${violation}\n`);
  if (violations.length > 0) process.stdout.write(`The data is kept in ${directory}\n`);
  process.exit(violations.length > 0 ? 1 : 0);
}
