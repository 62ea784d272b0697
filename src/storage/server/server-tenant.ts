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
import { mark } from "../tenant-marks.ts";
import { migrateNamespace } from "./migrate-namespace.ts";
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
}

/** Counts a write in the namespace itself, so that each node knows whether its bodies are still those of the database. */
const counted = sql`update ${meta} set changes = changes + 1`;

const present = lookUp({ changes: meta.changes }, sql`from ${meta}`);

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
    const { migrations, clock, onEffectError, onDue, commits, sendsMail, followers, trace, control } = options;
    const database = new ServerDatabase("tenant", session, {
      clock,
      onEffectError,
      onDue: (changed) => onDue(id, changed),
      onAudited: () => commits.tell({ orgId: id }),
      sendsMail,
      followers,
      trace,
      beforeFirstWrite: () => mark(control, id, { dirty: true }),
      atCommit: (isSeen) => (isSeen ? [serverStatement(counted, [])] : []),
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

  write<T>(body: (tx: Tx<"tenant">) => Promise<T>): Promise<T> {
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

  /** Clears the dirty mark, and stores the audit log's head, the schema version and the next wake-up time: as a file's checkpoint. */
  settle(): Promise<void> {
    const { clock, control, keys, migrations, nextWake } = this.#options;
    return this.#database.settle((database) =>
      database.read(async (reader) => {
        const [[kept], wake] = await Promise.all([
          control.read((marks) => marks.select().from(tenantMarks).where(eq(tenantMarks.org_id, this.id))),
          nextWake(reader),
        ]);
        const head = await nextAuditHead(reader, tenantSeal(keys, this.id), keptHead(kept));
        await mark(control, this.id, {
          dirty: false,
          marked_at: toInstant(clock.now()),
          next_wake_at: wake,
          schema_version: migrations.length,
          ...(head && { audit_seq: head.seq, audit_head: head.head }),
        });
      }),
    );
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
