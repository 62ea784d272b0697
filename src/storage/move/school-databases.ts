/** Where the databases of schools are, for those that move: in files, or on a server. */
import type { OrgId } from "../../core/ids.ts";
import { isThere } from "../backup/restore-note.ts";
import type { Checker } from "../check/checker.ts";
import type { Copied } from "../check/messages.ts";
import { fileIdentity } from "../file-identity.ts";
import { tenantPath } from "../tenant-file.ts";
import { MoveRefused } from "./move-refused.ts";

export interface SchoolDatabases {
  /** Returns the path of a school's file. */
  pathOf(id: OrgId): string;
  /** Copies a school's database as it is at one moment, and checks the copy, see `copyDatabase`. */
  copy(id: OrgId, to: string): Promise<Copied>;
  /** @param from the file that is adopted @throws MoveRefused something else is where the school would be */
  requireFree(id: OrgId, from: string): Promise<void>;
}

export const asTenant = (orgId: OrgId) => ({ kind: "tenant" as const, orgId, isNew: false });

export const databasesInFiles = (directory: string, checker: Pick<Checker, "copy">): SchoolDatabases => ({
  pathOf: (id) => tenantPath(directory, id),
  copy: (id, to) => checker.copy(tenantPath(directory, id), { to, expected: asTenant(id) }),
  async requireFree(id, from) {
    const path = tenantPath(directory, id);
    if ((await isThere(path)) && fileIdentity(path) !== fileIdentity(from))
      throw new MoveRefused(`${path} is there, and no organization owns it. Adopt that file, or move it away.`);
  },
});
