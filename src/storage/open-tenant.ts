import { access } from "node:fs/promises";
import { eq, sql } from "drizzle-orm";
import { type Clock, type Instant, toInstant } from "../core/clock.ts";
import { type KeyRing, randomBytes } from "../core/crypto.ts";
import { conflict } from "../core/errors.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import { keptHead, nextAuditHead } from "./audit.ts";
import { fileNote } from "./check/file-note.ts";
import type { Commits } from "./commits.ts";
import { tenantMarks } from "./control.tables.ts";
import { openDataKey } from "./data-key.ts";
import { tenantSeal } from "./installation.ts";
import { lookUp } from "./lookup.ts";
import { type Migrations, WrongFile } from "./migrations.ts";
import { makePrivate } from "./private-files.ts";
import { SqliteFile } from "./sqlite-file.ts";
import type { Control, Followers, Reader, Tx } from "./store.ts";
import { meta } from "./tenant.tables.ts";
import { mark } from "./tenant-marks.ts";
import type { Trace } from "./writing.ts";

export interface OpenTenantOptions {
  path: string;
  control: Control;
  keys: KeyRing;
  clock: Clock;
  migrations: Migrations;
  /** Returns when the tenant next has due work. Called at each checkpoint. */
  nextWake: (reader: Reader<"tenant">) => Promise<Instant | null>;
  onEffectError: (error: unknown) => void;
  /** Called after a commit that made work due at once. */
  onDue: (id: OrgId, changed?: EndpointId) => void;
  commits: Commits;
  /** The `-wal` file has rows of an earlier process, which the next checkpoint moves to the `.db` file. */
  hasWalRows?: boolean;
  /** Returns the note of the file that is stored at each checkpoint. */
  noteAtCheckpoint?: ((id: OrgId) => string | undefined) | undefined;
  onClosed?: ((id: OrgId) => void) | undefined;
  /** Whether the file failed a check since it was opened. Then a checkpoint, which reads rows, could end the process. */
  isUnusable?: ((id: OrgId) => boolean) | undefined;
  /** The file may lack its `meta` row: the sign-up that created it writes the row, or was interrupted. */
  isNew?: boolean;
  sendsMail?: boolean | undefined;
  followers?: Followers | undefined;
  trace?: Trace;
}

/** One tenant's open file, and its row in `tenant_marks`. */
export class OpenTenant {
  readonly id: OrgId;
  readonly #file: SqliteFile<"tenant">;
  readonly #options: OpenTenantOptions;
  /** Distinguishes this opening of the file from an earlier one. */
  readonly #opening = randomBytes(8).toString("hex");
  /** Whether the `-wal` file has rows of an earlier process. */
  #hasWalRows: boolean;

  private constructor(id: OrgId, file: SqliteFile<"tenant">, options: OpenTenantOptions) {
    this.id = id;
    this.#file = file;
    this.#options = options;
    this.#hasWalRows = options.hasWalRows === true;
  }

  /** @throws WrongFile the file is missing, another application's, another organization's, nobody's, or newer than this program */
  static async open(id: OrgId, options: OpenTenantOptions): Promise<OpenTenant> {
    const { path, migrations, clock, onEffectError, onDue, commits, sendsMail, followers, trace } = options;
    await access(path).catch(() => {
      throw new WrongFile(`${path} is missing`); // libSQL would create an empty file
    });
    await makePrivate(path);
    const file = await SqliteFile.open("tenant", path, migrations, {
      clock,
      onEffectError,
      onDue: (changed) => onDue(id, changed),
      onAudited: () => commits.tell({ orgId: id }),
      sendsMail,
      followers,
      beforeFirstWrite: () => mark(options.control, id, { dirty: true }),
      ...(trace && { trace }),
    });
    try {
      const [row] = await file.read((reader) => reader.select({ org_id: meta.org_id }).from(meta));
      if (row === undefined && options.isNew !== true) throw new WrongFile(`${path} has no row in its table meta`);
      if (row !== undefined && row.org_id !== id)
        throw new WrongFile(`${path} belongs to the organization ${row.org_id}`);
      if (!(await isCheckpointed(options.control, id, fileNote(path)))) {
        file.noteChange();
        onDue(id); // a restored file may have pending deliveries
      }
      return new OpenTenant(id, file, options);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  read<T>(query: (reader: Reader<"tenant">) => Promise<T>): Promise<T> {
    return this.#file.read(query);
  }

  /** Returns the key that seals this tenant's secrets. @throws CONFLICT another installation sealed the key */
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

  /** Changes after every write. While it is unchanged, earlier reads are still current. */
  get version(): string {
    return `${this.#opening}.${this.#file.changes}`;
  }

  write<T>(body: (tx: Tx<"tenant">) => Promise<T>): Promise<T> {
    return this.#file.write(body);
  }

  /** The device and inode of the file that is open. */
  get identity(): string | undefined {
    return this.#file.identity;
  }

  /** Whether the file was neither removed nor replaced since it was opened. */
  get isInPlace(): boolean {
    return this.#file.isInPlace;
  }

  isIdle(now: Date): boolean {
    return this.#file.isIdle(now);
  }

  /** Makes a checkpoint due, which stores the marks anew. */
  noteChange(): void {
    this.#file.noteChange();
  }

  /** Checkpoints the file, then clears the dirty mark and stores the audit log's head, the schema version and the next wake-up time. */
  async checkpoint(): Promise<void> {
    const { clock, control, keys, migrations, nextWake, noteAtCheckpoint, path } = this.#options;
    await this.#file.checkpoint(async (reader) => {
      const [kept] = await control.read((marks) =>
        marks.select().from(tenantMarks).where(eq(tenantMarks.org_id, this.id)),
      );
      const head = await nextAuditHead(reader, tenantSeal(keys, this.id), keptHead(kept));
      await mark(control, this.id, {
        dirty: false,
        marked_at: toInstant(clock.now()),
        next_wake_at: await nextWake(reader),
        file_note: (noteAtCheckpoint ? noteAtCheckpoint(this.id) : fileNote(path)) ?? null,
        schema_version: migrations.length,
        ...(head && { audit_seq: head.seq, audit_head: head.head }),
      });
    });
    this.#hasWalRows = false;
  }

  /** Whether the file needs a checkpoint. */
  get isSlowToClose(): boolean {
    return this.#file.hasUncheckpointed || this.#hasWalRows;
  }

  async close(): Promise<void> {
    try {
      const isUnusable = this.#options.isUnusable?.(this.id) === true;
      if (this.isSlowToClose && this.#file.isInPlace && !isUnusable) await this.checkpoint();
    } finally {
      await this.#file.close();
      this.#options.onClosed?.(this.id);
    }
  }
}

/** Returns whether the marks of the tenant are those of this file. A tenant without an owner has no marks. */
async function isCheckpointed(control: Control, id: OrgId, note: string | undefined): Promise<boolean> {
  const marks = await control.read((reader) => marksOf(reader, { id }));
  return marks === undefined || (marks.note === note && !marks.dirty);
}

const marksOf = lookUp(
  { note: tenantMarks.file_note, dirty: tenantMarks.dirty },
  sql`from ${tenantMarks} where ${tenantMarks.org_id} = ${sql.placeholder("id")}`,
);
