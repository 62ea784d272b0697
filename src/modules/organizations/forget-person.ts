import { and, eq, inArray } from "drizzle-orm";
import type { OrgId } from "../../core/ids.ts";
import { formerMemberships } from "../../identity/identity.tables.ts";
import type { DataSubject } from "../../storage/personal-data.ts";
import type { Tx } from "../../storage/store.ts";
import { invitesOf } from "./invites/invites-of.queries.ts";
import { invites } from "./organizations.tables.ts";

/**
 * Posting: deletes the invites of a person whose data is erased, and that they were a member.
 *
 * @returns the addresses that the invites had
 */
export async function forgetPerson(tx: Tx<"control">, orgId: OrgId, subject: DataSubject): Promise<string[]> {
  const removed = await tx.delete(invites).where(invitesOf(orgId, subject)).returning({ email: invites.email });
  const left = and(eq(formerMemberships.org_id, orgId), inArray(formerMemberships.user_id, [...subject.userIds]));
  await tx.delete(formerMemberships).where(left);
  return removed.map(({ email }) => email);
}
