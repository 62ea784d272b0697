import { eq, sql } from "drizzle-orm";
import { type Clock, toInstant } from "../../core/clock.ts";
import { type KeyRing, randomBytes } from "../../core/crypto.ts";
import { conflict } from "../../core/errors.ts";
import type { EndpointId, OrgId } from "../../core/ids.ts";
import type { KeptBody } from "../../core/kept-body.ts";
import { keptHead, nextAuditHead } from "../audit.ts";
import type { BodyCache } from "../body-cache.ts";
import type { Commits } from "../commits.ts";
import { tenantMarks } from "../control.tables.ts";
import { openDataKey } from "../data-key.ts";
import { tenantSeal } from "../installation.ts";
import { lookUp } from "../lookup.ts";
import { type Migrations, WrongFile } from "../migrations.ts";
import type { OpenTenantOptions } from "../open-tenant.ts";
import type { Control, Reader, Tenant, Tx } from "../store.ts";
import { meta } from "../tenant.tables.ts";
import { markActive, storeMarks } from "./activity.ts";
import { migrateNamespace } from "./migrate-namespace.ts";
import type { Node } from "./node.ts";
import { ServerDatabase, serverStatement } from "./server-database.ts";
import type { Session } from "./session.ts";

export interface ServerTenantOptions
  extends Pick<
    OpenTenantOptions,
    | "keys"
    | "clock"
    | "migrations"
    | "nextWake"
    | "onEffectError"
    | "onDue"
    | "sendsMail"
    | "followers"
    | "trace"
    | "isNew"
  > {
  control: Control;
  keys: KeyRing;
  clock: Clock;
  migrations: Migrations;
  commits: Commits;
  onDue: (id: OrgId, changed?: EndpointId) => void;
  bodies: BodyCache;
  node: Pick<Node, "id" | "beSeen">;
}

/** Counts a write in the namespace itself, so that each node knows whether its bodies and marks are still those of the database. */
const counted = sql`update ${meta} set writes = writes + 1, changes = changes + 1`;
const countedUnseen = sql`update ${meta} set writes = writes + 1`;

const present = lookUp({ changes: meta.changes, writes: meta.writes }, sql`from ${meta}`);

/** One organization's namespace, and its row in `tenant_marks`. */
export class ServerTenant {
  readonly id: OrgId;
  readonly #database: ServerDatabase<"tenant">;
  readonly #options: ServerTenantOptions;
  /** Distinguishes this opening from an earlier one: the namespace may have been restored meanwhile. */
  readonly #opening = randomBytes(8).toString("hex");

  private constructor(id: OrgId, database: ServerDatabase<"tenant">, options: ServerTenantOptions) {
    this.id = id;
    this.#database = database;
    this.#options = options;
  }

  /** @throws WrongFile the namespace is another application's, another organization's, nobody's, or newer than this program */
  static async open(id: OrgId, session: Session, options: ServerTenantOptions): Promise<ServerTenant> {
    const { migrations, clock, onEffectError, onDue, commits, sendsMail, followers, trace, control, node } = options;
    const database = new ServerDatabase("tenant", session, {
      clock,
      onEffectError,
      onDue: (changed) => onDue(id, changed),
      onAudited: () => commits.tell({ orgId: id }),
      sendsMail,
      followers,
      trace,
      beforeFirstWrite: () => markActive(control, node.id, [id]),
      atCommit: (isSeen) => [serverStatement(isSeen ? counted : countedUnseen, [])],
      schemaVersion: migrations.length,
    });
    try {
      await migrateNamespace(session, migrations);
      const [row] = await database.read((reader) => reader.select({ org_id: meta.org_id }).from(meta));
      if (row === undefined && options.isNew !== true)
        throw new WrongFile(`The namespace ${session.namespace} has no row in its table meta`);
      if (row !== undefined && row.org_id !== id)
        throw new WrongFile(`The namespace ${session.namespace} belongs to the organization ${row.org_id}`);
      return new ServerTenant(id, database, options);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  read<T>(query: (reader: Reader<"tenant">) => Promise<T>): Promise<T> {
    return this.#database.read(query);
  }

  async write<T>(body: (tx: Tx<"tenant">) => Promise<T>): Promise<T> {
    await this.#options.node.beSeen();
    return this.#database.write(body);
  }

  /** As `Tenant.readBody`. The number of changes is read each time: another node may have written. */
  readBody(question: string, query: Parameters<Tenant["readBody"]>[1]): Promise<KeptBody> {
    return this.read(async (reader) => {
      const changes = (await present(reader, {}))?.changes ?? 0;
      return this.#options.bodies.get(`${this.#opening}.${changes}`, question, () => query(reader));
    });
  }

  /** As `Tenant.dataKey`. */
  async dataKey(): Promise<Buffer> {
    const [row] = await this.read((reader) => reader.select().from(meta));
    const key = row && openDataKey(this.#options.keys, this.id, row);
    if (key === undefined)
      throw conflict(
        "installation_key_missing",
        "These records come from another installation. Its key is required for this operation.",
      );
    return key;
  }

  isIdle(now: Date): boolean {
    return this.#database.isIdle(now);
  }

  noteChange(): void {
    this.#database.noteChange();
  }

  /**
   * Ends this node's activity, and stores the audit log's head, the schema version and the next wake-up time, as a file's checkpoint
   * does. The number of writes is read before them: what another node writes meanwhile makes them later than they say, never earlier.
   */
  settle(): Promise<void> {
    const { clock, control, keys, migrations, nextWake, node } = this.#options;
    return this.#database.settle((database) =>
      database.read(async (reader) => {
        const [known, [kept]] = await Promise.all([
          present(reader, {}),
          control.read((marks) => marks.select().from(tenantMarks).where(eq(tenantMarks.org_id, this.id))),
        ]);
        const wake = await nextWake(reader);
        const head = await nextAuditHead(reader, tenantSeal(keys, this.id), keptHead(kept));
        const marks = {
          marked_at: toInstant(clock.now()),
          next_wake_at: wake,
          schema_version: migrations.length,
          ...(head && { audit_seq: head.seq, audit_head: head.head }),
        };
        await storeMarks(control, { node: node.id, id: this.id, writes: known?.writes ?? 0, marks });
      }),
    );
  }

  get hasUnsettled(): boolean {
    return this.#database.hasUnsettled;
  }

  get isSlowToClose(): boolean {
    return this.#database.hasUnsettled;
  }

  async close(): Promise<void> {
    try {
      if (this.isSlowToClose) await this.settle();
    } finally {
      await this.#database.close();
    }
  }
}
