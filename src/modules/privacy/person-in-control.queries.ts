import { and, eq, getTableColumns, inArray } from "drizzle-orm";
import type { OrgId, UserId } from "../../core/ids.ts";
import { formerMemberships, memberships, users } from "../../identity/identity.tables.ts";
import { isMembership } from "../../identity/memberships.queries.ts";
import type { DataSubject } from "../../storage/personal-data.ts";
import type { Reader } from "../../storage/store.ts";
import { applicationsOf } from "../marketplace/applications/applications.queries.ts";
import { invitesOf } from "../organizations/invites/invites-of.queries.ts";
import { findMember } from "../organizations/organizations.queries.ts";
import { invites } from "../organizations/organizations.tables.ts";

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
