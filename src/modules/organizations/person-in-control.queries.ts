import { and, eq, getTableColumns, inArray, isNull, or, sql } from "drizzle-orm";
import type { OrgId, UserId } from "../../core/ids.ts";
import type { DataSubject } from "../../storage/personal-data.ts";
import type { Reader } from "../../storage/store.ts";
import { users } from "../accounts/accounts.tables.ts";
import { applicationsOf } from "../marketplace/applications/applications.queries.ts";
import { isMembership } from "./memberships.queries.ts";
import { findMember } from "./organizations.queries.ts";
import { formerMemberships, invites, memberships } from "./organizations.tables.ts";

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

/** Returns the e-mail address of an account. */
export async function addressOf(reader: Reader<"control">, userId: UserId): Promise<string | undefined> {
  const [account] = await reader.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return account?.email;
}

/** Returns what the control database has about a person of an organization, for the export. */
export async function personInControl(reader: Reader<"control">, orgId: OrgId, subject: DataSubject) {
  const members = [];
  for (const userId of subject.userIds)
    if ((await reader.$count(memberships, isMembership(orgId, userId))) > 0)
      members.push(await findMember(reader, orgId, userId));
  const { token_hash: _, ...shown } = getTableColumns(invites);
  const left = and(eq(formerMemberships.org_id, orgId), inArray(formerMemberships.user_id, [...subject.userIds]));
  return {
    members,
    former_memberships: await reader.select().from(formerMemberships).where(left),
    invites: await reader.select(shown).from(invites).where(invitesOf(orgId, subject)),
    applications: await applicationsOf(reader, orgId, subject.userIds),
  };
}
