import { eq, sql } from "drizzle-orm";
import type { OrgId } from "../../../core/ids.ts";
import { memberships, organizations, suspensions, users } from "../../../identity/identity.tables.ts";
import { holdsOneOf } from "../../../identity/memberships.queries.ts";
import { schoolState } from "../../../identity/suspensions.queries.ts";
import { tenantMarks } from "../../../storage/control.tables.ts";
import type { Reader } from "../../../storage/store.ts";

const byName = new Intl.Collator("en", { numeric: true });

/** Lists all organizations with what the control database knows of them, by name. Ten thousand take some hundred milliseconds. */
export async function listOrganizations(reader: Reader<"control">) {
  const rows = await reader
    .select({
      id: organizations.id,
      name: organizations.name,
      kind: organizations.kind,
      state: schoolState,
      suspended_at: suspensions.suspended_at,
      reason: suspensions.reason,
      removal_at: suspensions.removal_at,
      schema_version: tenantMarks.schema_version,
      members: sql<number>`(select count(*) from ${memberships} where ${memberships.org_id} = ${organizations.id})`,
    })
    .from(organizations)
    .leftJoin(suspensions, eq(suspensions.org_id, organizations.id))
    .leftJoin(tenantMarks, eq(tenantMarks.org_id, organizations.id));
  const owners = Map.groupBy(await allOwners(reader), ({ org_id }) => org_id);
  return rows
    .map((row) => ({ ...row, owners: emailsOf(owners.get(row.id)) }))
    .sort((one, other) => byName.compare(one.name, other.name) || (one.id < other.id ? -1 : 1));
}

const allOwners = (reader: Reader<"control">): Promise<{ org_id: OrgId; email: string }[]> =>
  reader
    .select({ org_id: memberships.org_id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(holdsOneOf(["owner"]));

const emailsOf = (owners: readonly { email: string }[] = []): string[] => owners.map(({ email }) => email).sort();
