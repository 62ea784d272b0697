import { access } from "node:fs/promises";
import { eq } from "drizzle-orm";
import type { Clock, Instant } from "../core/clock.ts";
import { type KeyRing, randomBytes } from "../core/crypto.ts";
import { conflict } from "../core/errors.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import { keptHead, nextAuditHead } from "./audit.ts";
import { tenantMarks } from "./control.tables.ts";
import { openDataKey } from "./data-key.ts";
import { tenantSeal } from "./installation.ts";
import { type Migrations, WrongFile } from "./migrations.ts";
import { SqliteFile, type Trace } from "./sqlite-file.ts";
import type { Control, Reader, Tx } from "./store.ts";
import { meta } from "./tenant.tables.ts";

export interface OpenTenantOptions {
  path: string;
  control: Control;
  keys: KeyRing;
  clock: Clock;
  migrations: Migrations;
  /** When something in the tenant is due next; asked at each checkpoint. */
  nextWake: (reader: Reader<"tenant">) => Promise<Instant | null>;
  onEffectError: (error: unknown) => void;
  /** Told when a write made something due at once. */
  onDue: (id: OrgId, changed?: EndpointId) => void;
  trace?: Trace;
}

/** One tenant's open file, and the marks that the control database keeps of it. */
export class OpenTenant {
  readonly id: OrgId;
  readonly #file: SqliteFile<"tenant">;
  readonly #options: OpenTenantOptions;
  /** Tells this opening of the file from the one before. */
  readonly #opening = randomBytes(8).toString("hex");

  private constructor(id: OrgId, file: SqliteFile<"tenant">, options: OpenTenantOptions) {
    this.id = id;
    this.#file = file;
    this.#options = options;
  }

  /** @throws WrongFile missing, another application's, another organization's, or newer than this program */
  static async open(id: OrgId, options: OpenTenantOptions): Promise<OpenTenant> {
    const { path, migrations, clock, onEffectError, onDue, trace } = options;
    await access(path).catch(() => {
      throw new WrongFile(`${path} is missing`); // libSQL would make an empty one
    });
    const file = await SqliteFile.open("tenant", path, migrations, {
      clock,
      onEffectError,
      onDue: (changed) => onDue(id, changed),
      beforeFirstWrite: () => mark(options.control, id, { dirty: true }),
      ...(trace && { trace }),
    });
    try {
      const [row] = await file.read((reader) => reader.select({ org_id: meta.org_id }).from(meta));
      if (row !== undefined && row.org_id !== id)
        throw new WrongFile(`${path} belongs to the organization ${row.org_id}`);
      return new OpenTenant(id, file, options);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  read<T>(query: (reader: Reader<"tenant">) => Promise<T>): Promise<T> {
    return this.#file.read(query);
  }

  /** The key that this tenant's secrets are sealed under. @throws CONFLICT it was sealed by another installation */
  async dataKey(): Promise<Buffer> {
    const [row] = await this.read((reader) => reader.select().from(meta));
    const key = row && openDataKey(this.#options.keys, this.id, row);
    if (key === undefined)
      throw conflict(
        "installation_key_missing",
        "These records come from another installation, whose key is needed for this.",
      );
    return key;
  }

  /** Another one after every write: what was read under one version is still true while it lasts. */
  get version(): string {
    return `${this.#opening}.${this.#file.changes}`;
  }

  write<T>(body: (tx: Tx<"tenant">) => Promise<T>): Promise<T> {
    return this.#file.write(body);
  }

  isIdleSince(moment: Instant): boolean {
    return this.#file.isIdleSince(moment);
  }

  /** Makes the `.db` file whole, then clears the mark and keeps the audit log's head and what is due next. */
  async checkpoint(): Promise<void> {
    const { control, keys, nextWake } = this.#options;
    await this.#file.checkpoint(async (reader) => {
      const [kept] = await control.read((marks) =>
        marks.select().from(tenantMarks).where(eq(tenantMarks.org_id, this.id)),
      );
      const head = await nextAuditHead(reader, tenantSeal(keys, this.id), keptHead(kept));
      await mark(control, this.id, {
        dirty: false,
        next_wake_at: await nextWake(reader),
        ...(head && { audit_seq: head.seq, audit_head: head.head }),
      });
    });
  }

  async close(): Promise<void> {
    try {
      if (this.#file.hasUncheckpointed) await this.checkpoint();
    } finally {
      await this.#file.close();
    }
  }
}

/** Before the first write since a checkpoint the tenant is marked dirty: a start after a crash looks into that file. */
async function mark(control: Control, id: OrgId, marks: Partial<typeof tenantMarks.$inferInsert>): Promise<void> {
  await control.write((tx) => tx.update(tenantMarks).set(marks).where(eq(tenantMarks.org_id, id)));
}
