import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { OrgId } from "../../../core/ids.ts";
import type { DataSubject } from "../../../storage/personal-data.ts";
import { invites } from "../organizations.tables.ts";

/**
 * Matches the invites of a person: by the person's id, claimed by one of their accounts, or sent to an address of theirs and not
 * claimed. One that another account has claimed is that account's. The `+` keeps SQLite from reading all invites of the organization.
 */
export const invitesOf = (orgId: OrgId, { personId, userIds, emails }: Omit<DataSubject, "names">) =>
  and(
    sql`+${invites.org_id} = ${orgId}`,
    or(
      eq(invites.person_id, personId),
      inArray(invites.claimed_by, [...userIds]),
      and(isNull(invites.claimed_at), inArray(invites.email, [...emails])),
    ),
  );
