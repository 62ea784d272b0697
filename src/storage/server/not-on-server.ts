/** What works on files: on a server, it says so, or does what can be done there. */
import { Problem } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import { readAuditChain } from "../audit.ts";
import { type Backups, createBackups } from "../backup/backups.ts";
import type { Inspection } from "../check/inspection.ts";
import { tenantMarks } from "../control.tables.ts";
import type { Control } from "../store.ts";
import type { TenantStore } from "../tenant-store.ts";
import { unownedNamespaces } from "./unowned-namespaces.ts";

/** @param instead what the operator can do */
export const notOnServer = (instead: string) =>
  new Problem(
    "UNAVAILABLE",
    `The records are on a libSQL server (WINDSOCK_STORE=server): there is no file of them here. ${instead}`,
  );

/** As of files, from dumps of the namespaces. A whole backup is restored by `fill-server.ts`. */
export const backupsOnServer = (options: Parameters<typeof createBackups>[0]): Backups => ({
  ...createBackups(options),
  restoreSchool: async () => {
    throw notOnServer(restoreIntoFiles);
  },
});

/** What an operator can do with one school of a backup. */
const restoreIntoFiles =
  "Restore the backup with WINDSOCK_STORE=file into a data directory of its own, and move the school from there: windsock org move.";

/** The server checks its own files. What can be read over a connection is checked here: the audit log, and that all is readable. */
export function inspectionOnServer({
  control,
  tenants,
}: {
  control: Control;
  tenants: Pick<TenantStore, "check" | "tenant">;
}): Inspection {
  async function check(database: "control" | OrgId): Promise<readonly string[]> {
    if (database !== "control") return tenants.check(database);
    await control.read((reader) => reader.$count(tenantMarks));
    return [];
  }
  return {
    check,
    unowned: () => unownedNamespaces(control),
    // The server lists no namespaces.
    missing: async () => [],
    async scrub(database) {
      return { faults: [...(await check(database))], next: null };
    },
    auditChain(database, sealedSeq) {
      return database === "control"
        ? control.read((reader) => readAuditChain(reader, sealedSeq))
        : tenants.tenant(database).read((reader) => readAuditChain(reader, sealedSeq));
    },
  };
}
