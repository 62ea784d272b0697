import { eq, sql } from "drizzle-orm";
import { atMost } from "../../core/async.ts";
import { type Clock, type Instant, isToCome, seconds, shift, toInstant } from "../../core/clock.ts";
import { diskFull, Problem } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import { messageOf } from "../../core/system-error.ts";
import { tenantMarks } from "../control.tables.ts";
import { fileIdentity } from "../file-identity.ts";
import { lookUp } from "../lookup.ts";
import { isDiskFull } from "../sqlite-error.ts";
import type { Control } from "../store.ts";
import { tenantPath } from "../tenant-file.ts";
import type { Checker } from "./checker.ts";
import { fileNote, isWhole } from "./file-note.ts";
import type { InUseFile } from "./in-use.ts";

/** A tenant whose file is not opened. */
export interface UnusableTenant {
  orgId: OrgId;
  since: Instant;
  /** What is wrong with the file, or why it could not be checked. */
  faults: readonly string[];
}

interface Unusable extends UnusableTenant {
  /** The file that was checked. Another file under its name is checked anew. */
  note: string | undefined;
  /** The file could not be checked: the first use after this time tries again. */
  retryAt?: Instant;
}

interface Options {
  directory: string;
  control: Control;
  clock: Clock;
  checker: Pick<Checker, "check" | "migrate">;
  /** The number of this program's migrations. */
  newestVersion: number;
  inUse: InUseFile;
  log: { error(details: Record<string, unknown>, message: string): void };
  /** Milliseconds that a request waits for a check and a migration. Bun closes a connection that is silent for 10 s. */
  longestWait?: number;
}

/** A check that could not be finished is tried again after this time. */
const retryDelay = seconds(30);

/**
 * Decides which files are checked before they are opened: those that were in use when the program ended abnormally, and
 * those that are not the file of the last checkpoint. An unchanged file costs two calls of `stat`. A file that fails its
 * check is not opened until it is replaced. Files of an older version are migrated in the process of the checks, too: the
 * statements of a migration take as long as the file is large, and nothing can interrupt them.
 */
export class TenantChecks {
  readonly #options: Options;
  readonly #open = new Set<OrgId>();
  /** Must pass a check before they are opened. */
  readonly #suspects: Set<OrgId>;
  readonly #unusable = new Map<OrgId, Unusable>();
  readonly #running = new Map<OrgId, Promise<readonly string[]>>();
  /** The tenants that are known to have an older version. */
  readonly #outdated = new Set<OrgId>();
  readonly #migrating = new Map<OrgId, Promise<void>>();
  /** The notes of files that may be opened. */
  readonly #accepted = new Map<OrgId, string>();
  /** Accepted notes that the control database does not have yet. */
  readonly #unstored = new Map<OrgId, string>();
  #stopping = false;

  constructor(options: Options, suspects: Iterable<OrgId>) {
    this.#options = options;
    this.#suspects = new Set(suspects);
    this.#write();
  }

  /** Waits some seconds until a file may be opened, see `prepare`. @throws TENANT_UNAVAILABLE it can't be, or not yet */
  async ready(id: OrgId, isNew = false): Promise<void> {
    if (!(await this.isDue(id))) return;
    const { longestWait = seconds(5) } = this.#options;
    if (await atMost(longestWait, this.prepare(id, isNew))) return;
    throw new Problem("TENANT_UNAVAILABLE", "These records are being checked or migrated. Retry in a moment.", {
      retryAfter: longestWait / 1000,
    });
  }

  /** Returns whether the file must be checked or migrated before it is opened. @throws TENANT_UNAVAILABLE it failed its check */
  async isDue(id: OrgId): Promise<boolean> {
    return (await this.#mustCheck(id)) || this.#outdated.has(id);
  }

  /** Checks the file if it must be, and migrates an older one. It must not be open. @throws TENANT_UNAVAILABLE */
  async prepare(id: OrgId, isNew = false): Promise<void> {
    while (await this.#mustCheck(id)) await this.check(id, isNew);
    if (!this.#outdated.has(id)) return;
    const migrating = this.#migrating.get(id) ?? this.#migrate(id).finally(() => this.#migrating.delete(id));
    this.#migrating.set(id, migrating);
    await migrating;
    return this.prepare(id, isNew); // the file may have been replaced meanwhile
  }

  /**
   * Checks a file now, also one that is open.
   *
   * @param isNew the file may lack its row in `meta`
   * @returns its faults, one line each
   */
  check(id: OrgId, isNew = false): Promise<readonly string[]> {
    const running = this.#running.get(id) ?? this.#check(id, isNew).finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  /** A new file of this program, which needs no check. */
  trust(id: OrgId): void {
    const note = fileNote(this.#path(id));
    if (note !== undefined) this.#accepted.set(id, note);
  }

  /** Another file of this version that passed a check has taken its place. */
  replaced(id: OrgId, version: number): void {
    const note = fileNote(this.#path(id));
    if (note === undefined) return;
    this.#accept(id, note);
    this.#noteVersion(id, version);
  }

  /** The file is gone, and its organization with it. */
  removed(id: OrgId): void {
    for (const notes of [this.#accepted, this.#unstored, this.#unusable]) notes.delete(id);
    for (const ids of [this.#open, this.#suspects, this.#outdated]) ids.delete(id);
    this.#write();
  }

  /**
   * Call it before the file is opened: reading it may end the process.
   *
   * @returns whether its `-wal` file has rows, from a crash or from a backup
   */
  opening(id: OrgId): boolean {
    this.#open.add(id);
    this.#write();
    return !isWhole(this.#accepted.get(id) ?? "");
  }

  /** Call it after the file was opened, which may have changed it. */
  opened(id: OrgId): void {
    this.#outdated.delete(id);
    const note = fileNote(this.#path(id));
    if (note !== undefined && note !== this.#accepted.get(id)) this.#accept(id, note);
  }

  /** Returns the note to store at a checkpoint of the open file. */
  noteAtCheckpoint(id: OrgId): string | undefined {
    this.#unstored.delete(id);
    return fileNote(this.#path(id));
  }

  /** Call it after the file was closed. */
  closed(id: OrgId): void {
    this.#open.delete(id);
  }

  /** SQLite found a fault: the file is checked before it is opened again. */
  suspect(id: OrgId): void {
    this.#suspects.add(id);
    this.#write();
  }

  isUnusable(id: OrgId): boolean {
    return this.#unusable.has(id);
  }

  /** The tenants whose files are not opened. */
  unusable(): UnusableTenant[] {
    return [...this.#unusable.values()].map(({ orgId, since, faults }) => ({ orgId, since, faults }));
  }

  /** Stores the notes of files that passed. Not at once: a check can be awaited inside a write of the control database. */
  async storeNotes(): Promise<void> {
    const notes = [...this.#unstored];
    if (notes.length === 0) return;
    await this.#options.control.write(async (tx) => {
      for (const [id, file_note] of notes) {
        // A changed file is dirty until its checkpoint: if it was restored, it may have due work.
        const dirty = sql`${tenantMarks.dirty} or ${tenantMarks.file_note} is not ${file_note}`;
        await tx.update(tenantMarks).set({ file_note, dirty }).where(eq(tenantMarks.org_id, id));
      }
    });
    for (const [id, note] of notes) if (this.#unstored.get(id) === note) this.#unstored.delete(id);
  }

  /** Checks that do not end from now on are repeated at the next start. */
  stop(): void {
    this.#stopping = true;
  }

  /** Records an orderly stop. @param control the note of the control database, if it was closed */
  end(control: string | undefined): void {
    this.#write(control);
    this.#options.inUse.close();
  }

  async #mustCheck(id: OrgId): Promise<boolean> {
    if (this.#stopping) throw new Problem("UNAVAILABLE", "The server is stopping.");
    const note = fileNote(this.#path(id));
    if (note === undefined) return false; // the open reports that it is missing
    const unusable = this.#unusable.get(id);
    if (unusable !== undefined && unusable.note === note && !this.#isOver(unusable)) throw unavailable(unusable);
    if (this.#suspects.has(id)) return true;
    if (this.#accepted.get(id) === note) return false;
    const row = await this.#options.control.read((reader) => storedMarks(reader, { id }));
    if (row?.note !== note) return true;
    this.#accepted.set(id, note);
    this.#noteVersion(id, row.version);
    return false;
  }

  #noteVersion(id: OrgId, version: number): void {
    if (version < this.#options.newestVersion) this.#outdated.add(id);
    else this.#outdated.delete(id);
  }

  async #migrate(id: OrgId): Promise<void> {
    const path = this.#path(id);
    const before = fileIdentity(path);
    try {
      await this.#options.checker.migrate(path);
    } catch (cause) {
      if (isDiskFull(cause)) throw diskFull(cause);
      throw new Problem("TENANT_UNAVAILABLE", "These records can't be opened at the moment.", { cause });
    }
    const note = fileNote(path);
    if (note === undefined || fileIdentity(path) !== before) return;
    this.#outdated.delete(id);
    this.#accept(id, note);
  }

  async #check(id: OrgId, isNew: boolean): Promise<readonly string[]> {
    const { checker, clock, log } = this.#options;
    const path = this.#path(id);
    const note = fileNote(path);
    if (note === undefined) return ["the file is missing"];
    const since = toInstant(clock.now());
    let faults: readonly string[];
    let version: number | undefined;
    let retryAt: Instant | undefined;
    try {
      ({ faults, version } = await checker.check(path, { kind: "tenant", orgId: id, isNew }));
    } catch (error) {
      faults = [`the file could not be checked: ${messageOf(error)}`];
      retryAt = shift(since, retryDelay);
    }
    if (faults.length === 0) {
      this.#accept(id, note);
      if (version !== undefined) this.#noteVersion(id, version);
    } else if (!this.#stopping) {
      this.#unusable.set(id, { orgId: id, since, faults, note, ...(retryAt && { retryAt }) });
      this.suspect(id);
      log.error({ organization_id: id, file: path, faults }, retryAt ? notChecked : damaged);
    }
    return faults;
  }

  #accept(id: OrgId, note: string): void {
    this.#accepted.set(id, note);
    this.#unusable.delete(id);
    if (isWhole(note)) this.#unstored.set(id, note);
    if (this.#suspects.delete(id)) this.#write();
  }

  #isOver({ retryAt }: Unusable): boolean {
    return retryAt !== undefined && !isToCome(retryAt, this.#options.clock.now(), retryDelay);
  }

  #write(control: string | null = null): void {
    this.#options.inUse.write({ control, tenants: [...new Set([...this.#open, ...this.#suspects])] });
  }

  #path(id: OrgId): string {
    return tenantPath(this.#options.directory, id);
  }
}

const storedMarks = lookUp(
  { note: tenantMarks.file_note, version: tenantMarks.schema_version },
  sql`from ${tenantMarks} where ${tenantMarks.org_id} = ${sql.placeholder("id")}`,
);

const damaged = "A tenant's file is damaged. It is not opened until it is replaced. The others are not affected.";
const notChecked = "A tenant's file could not be checked, so it is not opened. The next use tries again.";

const unavailable = ({ faults }: Unusable): Problem =>
  new Problem("TENANT_UNAVAILABLE", "These records can't be opened at the moment.", {
    cause: new Error(faults.join("\n")),
  });
