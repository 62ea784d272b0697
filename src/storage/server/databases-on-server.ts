/** Databases on a server as files, for those that move and for backups. */
import { join } from "node:path";
import type { OrgId } from "../../core/ids.ts";
import type { Checker } from "../check/checker.ts";
import { asTenant, type SchoolDatabases } from "../move/school-databases.ts";
import { removeDatabase } from "../tenant-file.ts";
import type { TenantStore } from "../tenant-store.ts";
import { dumpNamespace } from "./copy-namespace.ts";
import type { Engine } from "./engine.ts";
import { fromEngine } from "./engine-error.ts";
import { notOnServer } from "./not-on-server.ts";

interface Namespaces {
  engine: Engine;
  tenants: Pick<TenantStore, "tenant">;
}

/** Returns what writes a database to a file, as it is at one moment. */
export const dumperOf =
  ({ engine, tenants }: Namespaces) =>
  async (database: "control" | OrgId, to: string): Promise<void> => {
    // Migrates the namespace, if an older program wrote it last.
    if (database !== "control") await tenants.tenant(database).read(async () => undefined);
    const session = engine.session(database);
    try {
      await dumpNamespace(session, database === "control" ? "control" : "tenant", to);
    } catch (error) {
      throw fromEngine(error, database === "control" ? "control" : "tenant");
    } finally {
      session.close();
    }
  };

interface Options {
  /** For files that are removed again. */
  directory: string;
  dump: ReturnType<typeof dumperOf>;
  checker: Pick<Checker, "copy">;
}

/** The databases of schools that move from a server and to it. */
export const databasesOnServer = ({ directory, dump, checker }: Options): SchoolDatabases => ({
  pathOf() {
    throw notOnServer("What can be adopted is a file.");
  },
  async copy(id, to) {
    const dumped = join(directory, `${id}.db.dump.tmp`);
    try {
      await dump(id, dumped);
      // As of a file: what is read again is what will be used.
      return await checker.copy(dumped, { to, expected: asTenant(id) });
    } finally {
      await removeDatabase(dumped);
    }
  },
  /** A namespace without an owner is an interrupted adoption's, and is made anew. */
  requireFree: async () => undefined,
});
