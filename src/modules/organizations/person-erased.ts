import { and, eq, inArray } from "drizzle-orm";
import type { IntentKind } from "../../storage/intents.ts";
import type { DataSubject } from "../../storage/personal-data.ts";
import { eraseFromLogs } from "../../storage/personal-data.ts";
import { removeEntryOf } from "../directory/entries/put-entry.ts";
import { removeApplications } from "../marketplace/applications/remove-applications.ts";
import { formerMemberships, invites } from "./organizations.tables.ts";
import { invitesOf } from "./person-in-control.queries.ts";

/** Deletes the invites, applications and the directory entry of a person whose data a school has erased, and what the control database's log has about them. */
export const personErased: IntentKind<"tenant", Pick<DataSubject, "personId" | "userIds">> = {
  name: "person.erased",
  from: "tenant",
  async apply(tx, { personId, userIds }, orgId) {
    const isTheirs = invitesOf(orgId, { personId, userIds });
    await removeApplications(tx, orgId, userIds);
    await removeEntryOf(tx, orgId, personId);
    const found = await tx.select({ email: invites.email }).from(invites).where(isTheirs);
    await tx.delete(invites).where(isTheirs);
    await tx
      .delete(formerMemberships)
      .where(and(eq(formerMemberships.org_id, orgId), inArray(formerMemberships.user_id, [...userIds])));
    const emails = [...new Set(found.map(({ email }) => email))];
    await eraseFromLogs(tx, { personId, userIds, emails }, orgId);
  },
};
