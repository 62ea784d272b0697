import { access, constants, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { eq } from "drizzle-orm";
import program from "../../../package.json" with { type: "json" };
import { type Clock, toInstant } from "../../core/clock.ts";
import { type KeyRing, keyRing } from "../../core/crypto.ts";
import type { OrgId } from "../../core/ids.ts";
import { messageOf, withGiven } from "../../core/system-error.ts";
import { type AuditHead, headAtRow, keptHead, verifyAudit } from "../audit.ts";
import { syncPath } from "../backup/places.ts";
import { isThere } from "../backup/restore-note.ts";
import { openReadOnly } from "../check/check-file.ts";
import type { Checker } from "../check/checker.ts";
import { tenantMarks } from "../control.tables.ts";
import { newDataKey, openDataKey, sealDataKey } from "../data-key.ts";
import { drizzleOn } from "../drizzle-on.ts";
import { tenantSeal } from "../installation.ts";
import { migrationsOf } from "../migrations-of.ts";
import { Mutex } from "../mutex.ts";
import { filesAside } from "../put-aside.ts";
import { intents } from "../shared.tables.ts";
import type { Control, Reader, Tx } from "../store.ts";
import { meta } from "../tenant.tables.ts";
import { removeDatabase } from "../tenant-file.ts";
import type { TenantStore } from "../tenant-store.ts";
import { MoveBusy, MoveRefused } from "./move-refused.ts";
import { adoptedPath } from "./place-adopted.ts";
import type { SchoolDatabases } from "./school-databases.ts";
import type { Described, SchoolHead } from "./school-head.ts";

export interface ExportRequest {
  orgId: OrgId;
  passphrase: string;
  /** The file, which must not exist. By default one that the caller removes. */
  to?: string | undefined;
  control: Pick<Control, "write">;
  /** Reads what modules keep about the school in the control database, inside a transaction of it. */
  take(tx: Tx<"control">): Promise<SchoolHead["parts"]>;
  /** Keeps the control database's intents meanwhile, see `Intents`. */
  keepIntents(): Promise<() => Promise<void>>;
  stopping?: AbortSignal | undefined;
}

export interface ExportedSchool {
  path: string;
  bytes: number;
  sha256: string;
  /** Of the school's audit log. */
  auditRows: number;
}

export interface AdoptRequest {
  /** An export, or the database of a school. */
  from: string;
  passphrase?: string | undefined;
  /** The file with the identity of age that opens a database of an encrypted backup. */
  identity?: string | undefined;
  /** The `secret.key` of the installation that a bare database comes from. */
  key?: string | undefined;
}

/** A school whose file is ready. */
export interface StagedSchool {
  orgId: OrgId;
  described: Described;
  /** Null for a bare database. */
  head: SchoolHead | null;
  /** Whether its secrets can be read here: those of webhooks, and the keys that sign packs. */
  hasSecrets: boolean;
  /** Reads its database. */
  read<T>(query: (reader: Pick<Reader, "select">) => Promise<T>): Promise<T>;
  /** Makes the school one of this installation: `own` is the one transaction that decides. */
  place<T>(own: (tx: Tx<"control">) => Promise<T>): Promise<T>;
}

/** Schools that move between installations. */
export interface Moves {
  /** Returns the path of a school's file. */
  pathOf(id: OrgId): string;
  /** Returns the files that a start has put aside (`../put-aside.ts`), and removes those of schools that were adopted since. */
  aside(): Promise<{ id: OrgId; path: string }[]>;
  /**
   * Writes a school into one encrypted file, while the server works: complete, or not at all.
   *
   * @throws MoveRefused the school's file or its audit log has a fault, or the file exists
   */
  exportSchool(request: ExportRequest): Promise<ExportedSchool>;
  /**
   * Reads a school of another installation, checks it, and gives it to `enter`. After a crash, there is either nothing of it or
   * everything.
   *
   * @throws MoveRefused it is damaged, newer than this program, or here already
   */
  adoptSchool<T>(request: AdoptRequest, enter: (school: StagedSchool) => Promise<T>): Promise<T>;
}

interface Options {
  /** For files on the way. */
  directory: string;
  databases: SchoolDatabases;
  control: Control;
  tenants: Pick<TenantStore, "tenant" | "whilePlaced" | "markOwned">;
  keys: KeyRing;
  clock: Clock;
  checker: Checker;
  /** Of the passphrase of an export, see `encryptedWith`. */
  passphraseCost?: number | undefined;
  trace?: ((step: string) => void) | undefined;
}

export function createMoves({
  directory,
  databases,
  control,
  tenants,
  keys,
  clock,
  checker,
  passphraseCost,
  trace,
}: Options): Moves {
  const one = new Mutex();
  const exporting = new Set<OrgId>();

  const marksOf = async (id: OrgId) => {
    const [row] = await control.read((reader) => reader.select().from(tenantMarks).where(eq(tenantMarks.org_id, id)));
    return row;
  };

  async function exportSchool(request: ExportRequest): Promise<ExportedSchool> {
    const { orgId, passphrase, take, keepIntents, stopping } = request;
    const to = request.to ?? join(directory, `${orgId}.age.tmp`);
    const copy = join(directory, `${orgId}.db.export.tmp`);
    const partial = request.to === undefined ? to : join(dirname(to), `.partial-${basename(to)}`);
    if (request.to !== undefined) await requireFree(to);
    const sealed = keptHead(await marksOf(orgId));
    const release = await keepIntents();
    try {
      const { faults, bytes, sha256, auditRows } = await databases.copy(orgId, copy);
      trace?.("export: copied");
      if (faults.length > 0) throw new MoveRefused(["The school's file can't be copied:", ...faults].join("\n  "));
      const chain = await checker.auditChain(copy, sealed.seq);
      const { fault } = verifyAudit(chain, tenantSeal(keys, orgId), sealed);
      if (fault !== undefined)
        throw new MoveRefused(`The school's audit log is not whole: ${fault}. See audit verify.`);
      stopping?.throwIfAborted();
      const dataKey = await tenants.tenant(orgId).read(async (reader) => {
        const [row] = await reader.select().from(meta);
        return row && openDataKey(keys, orgId, row);
      });
      const head: SchoolHead = await request.control.write(async (tx) => ({
        format: "windsock-school-1" as const,
        windsock: program.version,
        versions: { control: migrationsOf.control.length, tenant: migrationsOf.tenant.length },
        exported_at: toInstant(clock.now()),
        key_id: keys.id,
        organization: orgId,
        database: { bytes, sha256, audit_rows: auditRows },
        data_key: dataKey?.toString("base64url") ?? null,
        parts: await take(tx),
        intents: await tx
          .select({ id: intents.id, kind: intents.kind, payload: intents.payload, created_at: intents.created_at })
          .from(intents)
          .where(eq(intents.org_id, orgId)),
      }));
      await rm(partial, { force: true });
      const made = await checker.sealSchool(copy, { to: partial, head, passphrase, cost: passphraseCost });
      trace?.("export: sealed");
      if (request.to !== undefined) await giveName(partial, to);
      trace?.("export: named");
      return { path: to, auditRows, ...made };
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    } finally {
      await release();
      await removeDatabase(copy);
    }
  }

  async function adoptSchool<T>(request: AdoptRequest, enter: (school: StagedSchool) => Promise<T>): Promise<T> {
    const { from, passphrase, identity } = request;
    await access(from).catch((cause: unknown) => {
      throw new MoveRefused(messageOf(cause, from), { cause });
    });
    const opening = join(directory, `adopting-${process.pid}.tmp`);
    try {
      const { faults, head, described } = await checker.openSchool(from, { to: opening, passphrase, identity });
      if (described === null) throw new MoveRefused([`${from} can't be adopted:`, ...faults].join("\n  "));
      const { organization: orgId } = described;
      await requireNew(orgId, from);
      const dataKey = await dataKeyOf(described, head, request.key);
      const isOwn = described.sealed_by === keys.id;
      const key = dataKey === undefined ? newDataKey(keys, orgId) : sealDataKey(keys, orgId, dataKey);
      trace?.("adoption: prepare");
      await checker.prepareSchool(opening, isOwn && dataKey !== undefined ? null : key);
      const auditHead = await auditHeadOf(opening, described);
      const staged = adoptedPath(directory, orgId);
      trace?.("adoption: stage");
      await removeDatabase(staged);
      await rename(opening, staged);
      await removeDatabase(opening);
      await syncPath(directory);
      return await enter({
        orgId,
        described,
        head,
        hasSecrets: dataKey !== undefined,
        read: (query) => readOnly(staged, query),
        place: (own) =>
          tenants.whilePlaced(orgId, () =>
            control.write(async (tx) => {
              const owned = await own(tx);
              await tenants.markOwned(tx, orgId, auditHead);
              for (const intent of head?.intents ?? []) await tx.insert(intents).values({ ...intent, org_id: orgId });
              return owned;
            }),
          ),
      }).catch(async (error: unknown) => {
        // A commit can succeed and still report an error: then the next start places the file.
        if ((await marksOf(orgId).catch(() => true)) === undefined) await removeDatabase(staged);
        throw error;
      });
    } finally {
      await removeDatabase(opening);
    }
  }

  async function requireNew(orgId: OrgId, from: string): Promise<void> {
    if ((await marksOf(orgId)) !== undefined)
      throw new MoveRefused(`The organization ${orgId} is in this installation already.`);
    await databases.requireFree(orgId, from);
  }

  async function dataKeyOf(described: Described, head: SchoolHead | null, file: string | undefined) {
    if (head?.data_key) return Buffer.from(head.data_key, "base64url");
    const { organization: orgId, sealed_by } = described;
    if (sealed_by === keys.id) return openDataKey(keys, orgId, described);
    if (file === undefined) return undefined;
    const text = await readFile(file, "utf8").catch((cause: unknown) => {
      throw new MoveRefused(messageOf(cause, file), { cause });
    });
    const theirs = keyRing(Buffer.from(text.trim()));
    if (theirs.id === sealed_by) return openDataKey(theirs, orgId, described);
    throw new MoveRefused(`${file} is not the key of the installation that this school comes from.`);
  }

  async function auditHeadOf(path: string, { organization, audit_rows }: Described): Promise<AuditHead> {
    const { rows, fault, sealed } = await checker.auditChain(path, audit_rows);
    if (fault !== undefined || rows !== audit_rows || sealed === undefined)
      throw new MoveRefused(`Its audit log is not whole: ${fault ?? `it has ${rows} rows`}.`);
    return headAtRow(tenantSeal(keys, organization), sealed);
  }

  return {
    pathOf: databases.pathOf,
    async aside() {
      const left: { id: OrgId; path: string }[] = [];
      for (const file of await filesAside(directory)) {
        if ((await marksOf(file.id)) === undefined) left.push(file);
        else await removeDatabase(file.path);
      }
      return left;
    },
    async exportSchool(request) {
      if (exporting.has(request.orgId)) throw new MoveBusy("An export of this school is being made. Wait for it.");
      exporting.add(request.orgId);
      try {
        return await exportSchool(request);
      } finally {
        exporting.delete(request.orgId);
      }
    },
    adoptSchool: (request, enter) => one.run(() => adoptSchool(request, enter)),
  };
}

/** Before the work: a copy of a large school takes its time. @throws an error with a message for the operator */
async function requireFree(to: string): Promise<void> {
  if (await isThere(to)) throw new MoveRefused(`${to} exists. Choose another file.`);
  await withGiven(dirname(to), async (folder) => {
    await readdir(folder);
    await access(folder, constants.W_OK);
  });
}

async function giveName(partial: string, to: string): Promise<void> {
  await rename(partial, to);
  await syncPath(dirname(to));
}

async function readOnly<T>(path: string, query: (reader: Pick<Reader, "select">) => Promise<T>): Promise<T> {
  const connection = openReadOnly(path);
  try {
    return await query(drizzleOn(connection));
  } finally {
    connection.close();
  }
}
