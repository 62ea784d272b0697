/** Checks of databases on a server: by the server's own, and by those of files on a copy that is removed again. */
import { join } from "node:path";
import { diskFull, Problem } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import { messageOf } from "../../core/system-error.ts";
import { readAuditChain } from "../audit.ts";
import type { Checker } from "../check/checker.ts";
import { contentFaults, type Inspection } from "../check/inspection.ts";
import { asTenant } from "../move/school-databases.ts";
import { isDiskFull } from "../sqlite-error.ts";
import type { Control } from "../store.ts";
import { removeDatabase } from "../tenant-file.ts";
import type { TenantStore } from "../tenant-store.ts";
import { structureFaults } from "./check-namespace.ts";
import type { dumperOf } from "./databases-on-server.ts";
import type { Engine } from "./engine.ts";
import { fromEngine } from "./engine-error.ts";
import { unownedNamespaces } from "./unowned-namespaces.ts";

interface Options {
  /** For the copies. */
  directory: string;
  control: Control;
  tenants: Pick<TenantStore, "check" | "tenant">;
  engine: Engine;
  dump: ReturnType<typeof dumperOf>;
  checker: Pick<Checker, "check" | "scrub">;
}

export function inspectionOnServer({ directory, control, tenants, engine, dump, checker }: Options): Inspection {
  /** What the server finds, and what text it can't return. */
  async function onServer(database: "control" | OrgId): Promise<string[]> {
    const session = engine.session(database);
    try {
      return await structureFaults(session);
    } catch (error) {
      throw fromEngine(error, database === "control" ? "control" : "tenant");
    } finally {
      session.close();
    }
  }

  /** What a check of a file finds: it is read row by row, as of one moment. */
  async function inCopy(database: "control" | OrgId): Promise<string[]> {
    const path = join(directory, `${database}.db.check.tmp`);
    try {
      const unreadable = await dump(database, path).then(() => undefined, faultOf);
      if (unreadable !== undefined) return [unreadable];
      const expected = database === "control" ? ({ kind: "control" } as const) : asTenant(database);
      const { faults } = await checker.check(path, expected);
      return faults.length > 0 ? faults : await contentFaults(checker, path);
    } finally {
      await removeDatabase(path);
    }
  }

  async function check(database: "control" | OrgId): Promise<readonly string[]> {
    const unusable = database === "control" ? [] : await tenants.check(database);
    if (unusable.length > 0) return unusable;
    const faults = await onServer(database);
    return faults.length > 0 ? faults : inCopy(database);
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

/** Returns what is wrong with a database of which no copy can be made. @throws what is wrong with the server or with this machine */
function faultOf(error: unknown): string {
  if (isDiskFull(error)) throw diskFull(error);
  if (error instanceof Problem) throw error;
  return messageOf(error);
}
