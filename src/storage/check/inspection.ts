import { join } from "node:path";
import type { OrgId } from "../../core/ids.ts";
import type { AuditChain } from "../audit.ts";
import { tenantPath } from "../tenant-file.ts";
import type { TenantStore } from "../tenant-store.ts";
import type { Checker } from "./checker.ts";

/** Reads whole databases for the operator's commands, in another process. */
export interface Inspection {
  /** Returns the faults of a file, one line each. A damaged tenant is not opened from then on. */
  check(database: "control" | OrgId): Promise<readonly string[]>;
  /** Recomputes an audit log, see `readAuditChain`. @throws Unreadable, TENANT_UNAVAILABLE */
  auditChain(database: "control" | OrgId, sealedSeq: number): Promise<AuditChain>;
}

interface Options {
  directory: string;
  tenants: Pick<TenantStore, "check" | "tenant">;
  checker: Checker;
}

export function createInspection({ directory, tenants, checker }: Options): Inspection {
  const controlPath = join(directory, "control.db");
  return {
    async check(database) {
      if (database !== "control") return tenants.check(database);
      return (await checker.check(controlPath, { kind: "control" })).faults;
    },
    async auditChain(database, sealedSeq) {
      if (database === "control") return checker.auditChain(controlPath, sealedSeq);
      // Inside a read, which opens and migrates the file, and keeps it open.
      return tenants.tenant(database).read(() => checker.auditChain(tenantPath(directory, database), sealedSeq));
    },
  };
}
