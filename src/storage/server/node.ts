/**
 * One of the Windsocks that have the databases on a server. Each says every few seconds that it lives, by the server's clock: those
 * of two machines differ. Of one that does not, the others take over leases, marks and deliveries.
 */
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { sql } from "drizzle-orm";
import program from "../../../package.json" with { type: "json" };
import { type Clock, seconds, shift, toInstant } from "../../core/clock.ts";
import { randomBytes } from "../../core/crypto.ts";
import { Problem } from "../../core/errors.ts";
import { nodes, tenantActivity } from "../control.tables.ts";
import { DataInUse } from "../data-lock.ts";
import type { StorageLog } from "../storage-log.ts";
import { isDead, living } from "./living.ts";
import { plain, resultIn } from "./migrate-namespace.ts";
import { serverStatement } from "./server-database.ts";
import type { Session } from "./session.ts";

/** Milliseconds between two beats. */
const beatEvery = seconds(5);

/** Milliseconds of silence after which a node beats before it writes: others may soon take it for dead. */
const silentAfter = seconds(10);

/** Milliseconds between two looks at a node of an older program. */
const lookEvery = seconds(1);

/** A node of an older program has the databases, which this one would migrate. */
class OlderNode extends DataInUse {
  override readonly name = "OlderNode";

  constructor({ host, version }: Older) {
    super(
      `A Windsock of version ${version}, on ${host}, uses the databases on this libSQL server, and this one would migrate them. Stop all older ones first.`,
    );
  }
}

interface Older {
  id: string;
  host: string;
  version: string;
  beats: number;
}

/** The numbers of migrations that a program knows. */
export interface Schemas {
  control: number;
  tenant: number;
}

interface NodeOptions {
  clock: Clock;
  log: StorageLog;
  schemas: Schemas;
  /** Waits that many milliseconds. */
  pause?: ((ms: number) => Promise<unknown>) | undefined;
  /** Milliseconds since any fixed point. */
  stopwatch?: (() => number) | undefined;
}

const { placeholder } = sql;

const joined = sql`insert into ${nodes} (id, host, version, control_schema, tenant_schema, seen_at)
  values (${placeholder("id")}, ${placeholder("host")}, ${placeholder("version")}, ${placeholder("control")},
    ${placeholder("tenant")}, unixepoch())
  on conflict (id) do update set beats = beats + 1, seen_at = unixepoch()`;

const older = sql`select id, host, version, beats from ${nodes}
  where id in ${living} and (control_schema < ${placeholder("control")} or tenant_schema < ${placeholder("tenant")})
  order by seen_at desc limit 1`;

const beaten = sql`update ${nodes} set beats = beats + 1, seen_at = unixepoch() where id = ${placeholder("id")}`;

/** Whether there is something to take over. */
const hasLeft = sql`select exists (select 1 from ${nodes} where ${isDead})
  or exists (select 1 from ${tenantActivity} where node_id not in ${living})`;

const removed = sql`delete from ${nodes} where id = ${placeholder("id")}`;

export class Node {
  readonly id = randomBytes(12).toString("hex");
  /** Called when the others may have taken this node for dead: they know nothing of what it has not settled. */
  onRejoined: () => Promise<void> = async () => undefined;
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #schemas: Schemas;
  readonly #stopwatch: () => number;
  #lastBeat: string;
  #lastSeen: number;
  #beating: Promise<void> | undefined;
  #hasSuccession = false;
  #isOutdated = false;
  #mustRejoin = false;

  private constructor(session: Session, { clock, schemas, stopwatch = () => performance.now() }: NodeOptions) {
    this.#session = session;
    this.#clock = clock;
    this.#schemas = schemas;
    this.#stopwatch = stopwatch;
    this.#lastBeat = toInstant(clock.now());
    this.#lastSeen = stopwatch();
  }

  /**
   * Makes this one known. Where it would migrate, those of older programs must have ended; one that did so without leaving is waited
   * for, until it is clear that it does not beat any more.
   *
   * @throws OlderNode one lives
   */
  static async register(session: Session, options: NodeOptions): Promise<Node> {
    const { log, pause = setTimeout } = options;
    const node = new Node(session, options);
    for (let seen: Older | undefined; ; await pause(lookEvery)) {
      const found = await node.#join();
      if (found === undefined) return node;
      if (found.id === seen?.id && found.beats !== seen.beats) {
        await node.leave();
        throw new OlderNode(found);
      }
      const { host, version } = found;
      if (seen === undefined)
        log.warn(
          { host, version },
          "An older Windsock had the databases. This one waits until it is clear that it has ended.",
        );
      seen = found;
    }
  }

  /** @returns a node of an older program that lives */
  async #join(): Promise<Older | undefined> {
    const [, found] = await this.#session.read([this.#joined(), serverStatement(older, { ...this.#schemas })]);
    const row = resultIn(found).rows[0];
    return row && { id: String(row[0]), host: String(row[1]), version: String(row[2]), beats: Number(row[3]) };
  }

  #joined() {
    return serverStatement(joined, { id: this.id, host: hostname(), version: program.version, ...this.#schemas });
  }

  /** Whether others had ended without leaving, at the last beat. */
  get hasSuccession(): boolean {
    return this.#hasSuccession;
  }

  /** Says that this node lives, if it is time. Called each second or so. */
  async beat(): Promise<void> {
    const now = this.#clock.now();
    // Also after the clock was set back.
    if (this.#lastBeat > shift(now, -beatEvery) && this.#lastBeat <= toInstant(now)) return;
    await this.#beatNow();
  }

  /** Before a write. A node that was stopped or cut off may be taken for dead meanwhile: it says first that it is not. */
  async beSeen(): Promise<void> {
    if (this.#stopwatch() - this.#lastSeen > silentAfter) await this.#beatNow();
  }

  #beatNow(): Promise<void> {
    this.#beating ??= this.#sendBeat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #sendBeat(): Promise<void> {
    const at = this.#stopwatch();
    const [outcome, schema, left] = await this.#session.read([
      serverStatement(beaten, { id: this.id }),
      plain("PRAGMA user_version"),
      serverStatement(hasLeft, []),
    ]);
    this.#isOutdated = Number(resultIn(schema).rows[0]?.[0]) !== this.#schemas.control;
    this.#mustRejoin ||= resultIn(outcome).changes === 0;
    if (this.#mustRejoin && !this.#isOutdated) {
      resultIn((await this.#session.read([this.#joined()]))[0]);
      await this.onRejoined();
      this.#mustRejoin = false;
    }
    this.#lastBeat = toInstant(this.#clock.now());
    this.#lastSeen = at;
    this.#hasSuccession = resultIn(left).rows[0]?.[0] === 1;
  }

  /** @throws UNAVAILABLE a newer program has migrated the databases: nothing may be read or written here */
  requireCurrent(): void {
    if (this.#isOutdated)
      throw new Problem("UNAVAILABLE", "A newer Windsock has migrated the databases. Start this one anew.");
  }

  /** Lets others take over at once. */
  async leave(): Promise<void> {
    await this.#session.read([serverStatement(removed, { id: this.id })]);
  }
}
