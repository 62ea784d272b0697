import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { isId, type OrgId } from "../../core/ids.ts";
import type { AuditChain } from "../audit.ts";
import { tenantMarks } from "../control.tables.ts";
import type { Control, Tenant } from "../store.ts";
import { tenantPath } from "../tenant-file.ts";
import type { TenantStore } from "../tenant-store.ts";
import type { Checker } from "./checker.ts";
import type { Place, Scrubbed } from "./messages.ts";

/** Reads whole databases for the operator's commands, in another process. */
export interface Inspection {
  /**
   * Returns the faults of a file, one line each. A damaged tenant is not opened from then on, unless what is damaged is only in
   * itself, such as a stored file.
   */
  check(database: "control" | OrgId): Promise<readonly string[]>;
  /** Returns the files of tenants that no organization owns. */
  unowned(): Promise<OrgId[]>;
  /** Returns the organizations whose files are not there. */
  missing(): Promise<OrgId[]>;
  /** Reads a piece of a database. @returns its faults, and where to go on; null at the end. @throws it was not read */
  scrub(database: "control" | OrgId, from: Place | null): Promise<{ faults: string[]; next: Place | null }>;
  /** Recomputes an audit log, see `readAuditChain`. @throws Unreadable, TENANT_UNAVAILABLE */
  auditChain(database: "control" | OrgId, sealedSeq: number): Promise<AuditChain>;
}

interface Options {
  directory: string;
  control: Control;
  tenants: Pick<TenantStore, "check" | "tenant">;
  checker: Checker;
}

/** Milliseconds of a piece: until it ends, the checkpoint of the database waits. */
const pieceTime = 500;

export function createInspection({ directory, control, tenants, checker }: Options): Inspection {
  const controlPath = join(directory, "control.db");
  const pathOf = (database: "control" | OrgId) =>
    database === "control" ? controlPath : tenantPath(directory, database);
  const owned = async () => {
    const rows = await control.read((reader) => reader.select({ id: tenantMarks.org_id }).from(tenantMarks));
    return new Set(rows.map(({ id }) => id));
  };
  const present = async () => {
    const names = (await readdir(directory)).filter((name) => name.endsWith(".db"));
    return names.map((name) => name.slice(0, -3)).filter((id) => isId<"organization">(id));
  };

  async function structureOf(database: "control" | OrgId): Promise<readonly string[]> {
    if (database === "control") return (await checker.check(controlPath, { kind: "control" })).faults;
    if ((await owned()).has(database)) return tenants.check(database);
    return (await checker.check(pathOf(database), { kind: "tenant", orgId: database, isNew: false })).faults;
  }

  return {
    async check(database) {
      const faults = await structureOf(database);
      return faults.length > 0 ? faults : contentFaults(checker, pathOf(database));
    },
    async unowned() {
      const known = await owned();
      return (await present()).filter((id) => !known.has(id));
    },
    async missing() {
      const known = await owned();
      const there = new Set(await present());
      return [...known].filter((id) => !there.has(id));
    },
    async scrub(database, from) {
      const piece = { from, time: pieceTime, contentOnly: false };
      const { next, faults, damaged, missing } = await checker.scrub(pathOf(database), piece);
      // The check of the whole file decides whether it is used on.
      if (faults.length > 0) return { next: null, faults: [...(await structureOf(database)), ...damaged] };
      if (database !== "control" && missing.length > 0) await storeDigests(tenants.tenant(database), missing);
      return { next, faults: damaged };
    },
    async auditChain(database, sealedSeq) {
      if (database === "control") return checker.auditChain(controlPath, sealedSeq);
      // Inside a read, which opens and migrates the file, and keeps it open.
      return tenants.tenant(database).read(() => checker.auditChain(tenantPath(directory, database), sealedSeq));
    },
  };
}

/** Returns what is damaged in itself only: stored files, the audit log, and records that contradict each other. */
export async function contentFaults(checker: Pick<Checker, "scrub">, path: string): Promise<string[]> {
  const found: string[] = [];
  for (let from: Place | null = null; ; ) {
    const { next, faults, damaged }: Scrubbed = await checker.scrub(path, { from, time: pieceTime, contentOnly: true });
    found.push(...faults, ...damaged);
    if (next === null) return found;
    from = next;
  }
}

/** Stores the digests of files that an older version stored. The hash guards against another file in the row. */
const storeDigests = (tenant: Tenant, missing: Scrubbed["missing"]): Promise<void> =>
  tenant.write(async (tx) => {
    tx.unseen();
    tx.aside();
    for (const { table, rowid, sha256, digests } of missing)
      await tx.run(sql`update ${sql.identifier(table)} set chunk_digests = ${Buffer.from(digests, "hex")}
        where rowid = ${rowid} and sha256 = ${sha256} and chunk_digests is null`);
  });
