/**
 * Keeps a second node off the databases. What can hide the work of one node from another is in the README; until that is done,
 * one node has them. It says that it lives every few seconds, by the server's clock: those of two machines differ.
 */
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { sql } from "drizzle-orm";
import program from "../../../package.json" with { type: "json" };
import { type Clock, seconds, shift, toInstant } from "../../core/clock.ts";
import { randomBytes } from "../../core/crypto.ts";
import { Problem } from "../../core/errors.ts";
import { nodes } from "../control.tables.ts";
import { DataInUse } from "../data-lock.ts";
import type { StorageLog } from "../storage-log.ts";
import { resultIn } from "./migrate-namespace.ts";
import { serverStatement } from "./server-database.ts";
import type { Session } from "./session.ts";

/** Milliseconds between two beats. */
const beatEvery = seconds(5);

/** Seconds of the server's clock after which a node without a beat has ended. Its successor then takes its place. */
const deadAfter = 15;

/** Milliseconds between two looks at a node that may have ended. */
const lookEvery = seconds(1);

/** Another node has the databases. */
class ServerInUse extends DataInUse {
  override readonly name = "ServerInUse";

  constructor({ host, version }: Living) {
    super(
      `Another Windsock (version ${version}, on ${host}) uses the databases on this libSQL server, and only one may. Stop it first.`,
    );
  }
}

interface Living {
  id: string;
  host: string;
  version: string;
  beats: number;
}

interface NodeOptions {
  clock: Clock;
  log: StorageLog;
  /** Waits that many milliseconds. */
  pause?: ((ms: number) => Promise<unknown>) | undefined;
}

const { placeholder } = sql;

const taken = sql`insert or ignore into ${nodes} (id, host, version, seen_at)
  select ${placeholder("id")}, ${placeholder("host")}, ${placeholder("version")}, unixepoch()
  where not exists (select 1 from ${nodes} where seen_at >= unixepoch() - ${sql.raw(String(deadAfter))})`;

const othersRemoved = sql`delete from ${nodes} where id <> ${placeholder("id")}
  and exists (select 1 from ${nodes} where id = ${placeholder("id")})`;

const present = sql`select id, host, version, beats from ${nodes} order by seen_at desc limit 1`;

const beaten = sql`update ${nodes} set beats = beats + 1, seen_at = unixepoch() where id = ${placeholder("id")}`;

const removed = sql`delete from ${nodes} where id = ${placeholder("id")}`;

export class Node {
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #id = randomBytes(12).toString("hex");
  #lastBeat: string;
  #isReplaced = false;

  private constructor(session: Session, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
    this.#lastBeat = toInstant(clock.now());
  }

  /**
   * Takes the place of the one node. One that has ended without leaving is waited for: it does not beat any more.
   *
   * @throws ServerInUse another node lives
   */
  static async register(session: Session, { clock, log, pause = setTimeout }: NodeOptions): Promise<Node> {
    const node = new Node(session, clock);
    for (let seen: Living | undefined; ; await pause(lookEvery)) {
      const living = await node.#take();
      if (living.id === node.#id) return node;
      if (living.id === seen?.id && living.beats !== seen.beats) throw new ServerInUse(living);
      const { host, version } = living;
      if (seen === undefined)
        log.warn(
          { host, version },
          "Another Windsock had the databases. This one waits until it is clear that it has ended.",
        );
      seen = living;
    }
  }

  /** @returns the node that has the place: this one, if it was free */
  async #take(): Promise<Living> {
    const own = { id: this.#id, host: hostname(), version: program.version };
    const [, , found] = await this.#session.read([
      serverStatement(taken, own),
      serverStatement(othersRemoved, own),
      serverStatement(present, {}),
    ]);
    const [id, host, version, beats] = resultIn(found).rows[0] ?? [];
    return { id: String(id), host: String(host), version: String(version), beats: Number(beats) };
  }

  /** Says that this node lives, if it is time. Called each second or so. */
  async beat(): Promise<void> {
    const now = this.#clock.now();
    // Also after the clock was set back.
    if (this.#lastBeat > shift(now, -beatEvery) && this.#lastBeat <= toInstant(now)) return;
    const [outcome] = await this.#session.read([serverStatement(beaten, { id: this.#id })]);
    this.#isReplaced = resultIn(outcome).changes === 0;
    this.#lastBeat = toInstant(now);
  }

  /** @throws UNAVAILABLE this node was silent, and another has taken its place: nothing may be read or written here */
  requirePlace(): void {
    if (this.#isReplaced)
      throw new Problem("UNAVAILABLE", "Another Windsock has taken over the databases. Start this one anew.");
  }

  /** Lets another node start at once. */
  async leave(): Promise<void> {
    await this.#session.read([serverStatement(removed, { id: this.#id })]);
  }
}
