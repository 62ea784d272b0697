/** What works on files: on a server, it says so, or does what can be done there. */
import { join } from "node:path";
import { Problem } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import { readAuditChain } from "../audit.ts";
import type { Backups } from "../backup/backups.ts";
import type { Inspection } from "../check/inspection.ts";
import { tenantMarks } from "../control.tables.ts";
import type { Moves } from "../move/moves.ts";
import type { Control } from "../store.ts";
import type { TenantStore } from "../tenant-store.ts";
import { unownedNamespaces } from "./unowned-namespaces.ts";

/** @param instead what the operator can do */
export const notOnServer = (instead: string) =>
  new Problem(
    "UNAVAILABLE",
    `The records are on a libSQL server (WINDSOCK_STORE=server): there is no file of them here. ${instead}`,
  );

const backUpServer = "Back up the server itself, as its documentation says.";

/** Backups are the server's. None is found, so none is said to be late. */
export const backupsOnServer = (directory: string): Backups => ({
  beside: join(directory, "backups"),
  take: async () => {
    throw notOnServer(backUpServer);
  },
  removeOld: async () => 0,
  newest: async () => undefined,
  drill: async () => {
    throw notOnServer(backUpServer);
  },
  restoreSchool: async () => {
    throw notOnServer("Restore the namespace on the server.");
  },
  unfinished: async () => undefined,
  finished: async () => undefined,
});

const moveFromFile = "Schools move between installations with files.";

export const movesOnServer: Moves = {
  pathOf() {
    throw notOnServer(moveFromFile);
  },
  exportSchool: async () => {
    throw notOnServer(moveFromFile);
  },
  adoptSchool: async () => {
    throw notOnServer(moveFromFile);
  },
};

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
