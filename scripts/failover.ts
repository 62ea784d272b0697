/**
 * Kills the active one of two servers on one data directory under load, again and again, and then looks whether an acknowledged
 * write is lost or made twice, and how long nobody answered: `bun scripts/failover.ts [kills=20]`. Exits with 1 if a write is.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";

interface Options {
  kills: number;
  /** Milliseconds of work between two kills, at most. */
  longest?: number;
  /** The program and its first arguments. */
  command?: readonly [string, ...string[]];
  /** Told after each kill: milliseconds until a write was acknowledged again. */
  onKill?: (kill: number, milliseconds: number) => void;
}

interface Report {
  acknowledged: number;
  /** Of these, what was acknowledged by 409 `answer_lost`. */
  answersLost: number;
  /** Names of people that were acknowledged and are not there. */
  lost: string[];
  /** Names of people that are there more than once. */
  doubled: string[];
  /** Milliseconds without an acknowledged write, after each kill. */
  gaps: number[];
  /** What must not be, besides. */
  faults: string[];
}

interface Peer {
  child: ChildProcess;
  url: string;
  errors: () => string;
  /** When its first and last write was acknowledged. */
  first?: number;
  last?: number;
}

const clients = 4;
const password = "correct horse battery";
const email = "olga@failover.example";

export async function failOver(options: Options): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), "windsock-failover-"));
  const pair = new Pair(directory, options);
  try {
    return await pair.run();
  } finally {
    await pair.close();
    await rm(directory, { recursive: true, force: true });
  }
}

class Pair {
  readonly #options: Required<Options>;
  readonly #directory: string;
  /** The active one first, as far as the clients know. */
  #peers: Peer[] = [];
  readonly #acknowledged = new Set<string>();
  #begun = 0;
  #token = "";
  #path = "";
  readonly #faults: string[] = [];
  #answersLost = 0;
  /** What was answered last in place of an acknowledgement, for people. */
  #lastRefusal = "nothing";

  constructor(directory: string, options: Options) {
    const command = [process.execPath, join(import.meta.dir, "../src/main.ts")] as const;
    this.#options = { longest: 1000, onKill: () => undefined, command, ...options };
    this.#directory = directory;
  }

  async run(): Promise<Report> {
    this.#peers = [await this.#start()];
    await this.#found();
    this.#peers.push(await this.#start());
    const over = new AbortController();
    const work = Promise.all(Array.from({ length: clients }, () => this.#work(over.signal)));
    const gaps: number[] = [];
    for (let kill = 1; kill <= this.#options.kills; kill += 1) {
      const gap = await this.#kill();
      gaps.push(gap);
      this.#options.onKill(kill, gap);
    }
    over.abort();
    await work;
    const names = await this.#names();
    const found = new Set(names);
    return {
      acknowledged: this.#acknowledged.size,
      lost: [...this.#acknowledged].filter((name) => !found.has(name)),
      doubled: names.filter((name, at) => names.indexOf(name) !== at),
      answersLost: this.#answersLost,
      gaps,
      faults: this.#faults,
    };
  }

  async close(): Promise<void> {
    for (const { child } of this.#peers) await end(child);
  }

  /** Starts a server, and waits until it serves or stands by. */
  async #start(): Promise<Peer> {
    const [file, ...args] = this.#options.command;
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("WINDSOCK_"));
    const child = spawn(file, args, {
      cwd: this.#directory,
      env: {
        ...Object.fromEntries(inherited),
        WINDSOCK_PORT: "0",
        WINDSOCK_DATA_DIR: join(this.#directory, "data"),
        WINDSOCK_WAIT_FOR_LOCK: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [log, errors] = ["", ""];
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on("data", (text) => {
        log += text;
        const [, url] = /"url":"(http:[^"]+)".*"(?:Serving|Standing by for another process)\."/.exec(log) ?? [];
        if (url !== undefined) resolve(url);
        // Only these two lines are of interest, and each request is logged.
        log = log.slice(log.lastIndexOf("\n") + 1);
      });
      child.on("close", (code) => reject(new Error(`A server ended with ${code}: ${errors}`)));
    });
    return { child, url, errors: () => errors };
  }

  /** Kills the active one at a random moment, and starts another standby. @returns the time without an acknowledged write */
  async #kill(): Promise<number> {
    const worked = this.#acknowledged.size;
    await wait(this.#options.longest * (0.2 + 0.8 * Math.random()));
    while (this.#acknowledged.size < worked + clients) await wait(10);
    const [active] = this.#peers;
    if (active === undefined) throw new Error("No server is active.");
    const killedAt = performance.now();
    await end(active.child);
    const [, standby] = this.#peers;
    if (standby === undefined) throw new Error("No server stands by.");
    this.#peers = [standby];
    while (standby.first === undefined) {
      if (performance.now() - killedAt > 60_000)
        throw new Error(`No write was acknowledged: ${this.#lastRefusal}, ${this.#faults.at(-1)}, ${standby.errors()}`);
      await wait(5);
    }
    const gap = Math.round(standby.first - (active.last ?? killedAt));
    this.#peers.push(await this.#start());
    return gap;
  }

  async #found(): Promise<void> {
    const organization = { name: "Failover", kind: "ato" };
    const body = { email, password, name: "Olga Owner", organization };
    const { data } = await (await this.#send("POST", "/auth/signup-org", body)).json();
    this.#token = data.tokens.access_token;
    this.#path = `/orgs/${data.organization.id}`;
  }

  /** One client, which repeats a request with the same key until it is answered, as an integrator does. */
  async #work(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      this.#begun += 1;
      const name = `Person ${this.#begun}`;
      const key = crypto.randomUUID();
      while (!over.aborted) {
        const [peer] = this.#peers;
        const answer = await this.#send("POST", `${this.#path}/people`, { name, types: ["student"] }, key).catch(
          () => undefined,
        );
        const problem = answer && !answer.ok ? (await answer.json().catch(() => undefined))?.error : undefined;
        // It was carried out, and killed before its response was stored: the clients' other way to know.
        const isCarriedOut = problem?.reason === "answer_lost";
        if (peer && (answer?.status === 201 || isCarriedOut)) {
          this.#acknowledged.add(name);
          if (isCarriedOut) this.#answersLost += 1;
          peer.last = performance.now();
          peer.first ??= peer.last;
          break;
        }
        this.#lastRefusal = answer ? `${answer.status} ${problem?.reason ?? ""}` : "nothing";
        if (answer && answer.status !== 503) this.#faults.push(this.#lastRefusal);
        await wait(20);
      }
    }
  }

  #send(method: string, path: string, body?: object, key?: string): Promise<Response> {
    const [active] = this.#peers;
    return fetch(`${active?.url}${path}`, {
      method,
      headers: {
        ...(this.#token !== "" && { authorization: `Bearer ${this.#token}` }),
        ...(key !== undefined && { "idempotency-key": key }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async #names(): Promise<string[]> {
    const names: string[] = [];
    for (let offset = 0; ; offset += 500) {
      const answer = await this.#send("GET", `${this.#path}/people?limit=500&offset=${offset}`);
      const { data, page } = await answer.json();
      names.push(...data.map(({ name }: { name: string }) => name));
      if (!page.has_more) return names;
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

if (import.meta.main) {
  const kills = Number(process.argv[2] ?? 20);
  const report = await failOver({ kills, onKill: (kill, gap) => console.log(`kill ${kill}: ${gap} ms`) });
  const { gaps, ...rest } = report;
  const sorted = gaps.toSorted((a, b) => a - b);
  console.table({
    kills,
    acknowledged: rest.acknowledged,
    "of these, by 409 answer_lost": rest.answersLost,
    lost: rest.lost.length,
    doubled: rest.doubled.length,
    faults: rest.faults.length,
    "median ms without an answer": sorted[Math.floor(sorted.length / 2)],
    "longest ms without an answer": sorted.at(-1),
  });
  if (rest.lost.length + rest.doubled.length + rest.faults.length > 0) {
    console.error(rest);
    process.exit(1);
  }
  process.exit();
}
