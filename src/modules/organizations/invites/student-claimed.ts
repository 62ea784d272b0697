import type { PersonId, UserId } from "../../../core/ids.ts";
import { rolesOf } from "../../../identity/memberships.queries.ts";
import type { IntentKind } from "../../../storage/intents.ts";
import { auditNotLinked, linkAccount } from "../../people/link-account.ts";

interface Claimed {
  personId: PersonId;
  userId: UserId;
  /** Missing in intents of earlier versions. */
  invitedBy?: UserId;
  requestId: string;
}

/**
 * Links the account that claimed a student invite to the person, in the tenant database. An account that is no longer a
 * member is not linked.
 */
export const studentClaimed: IntentKind<"control", Claimed> = {
  name: "student.claimed",
  from: "control",
  async apply(tx, { requestId, invitedBy = null, ...link }, orgId, control) {
    // The control database's audit log names the claimant, under the same request id.
    const by = { actor: { kind: "job", name: "intents" }, requestId } as const;
    const held = await control.read((reader) => rolesOf(reader, orgId, link.userId));
    await (held ? linkAccount(tx, by, { ...link, invitedBy }) : auditNotLinked(tx, by, link, "no_member"));
  },
};
