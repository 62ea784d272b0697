import type { PersonId, UserId } from "../../../core/ids.ts";
import type { IntentKind } from "../../../storage/intents.ts";
import { auditNotLinked, linkAccount } from "../../people/link-account.ts";
import { rolesOf } from "../memberships.queries.ts";

/**
 * Carries who claimed a student invite into the organization's records: the account is the person from then on. Whoever
 * has left or was removed before the records could be reached is nobody there.
 */
export const studentClaimed: IntentKind<"control", { personId: PersonId; userId: UserId; requestId: string }> = {
  name: "student.claimed",
  from: "control",
  async apply(tx, { requestId, ...link }, orgId, control) {
    // Who claimed it is in the control database's log, under the same request.
    const by = { actor: { kind: "job", name: "intents" }, requestId } as const;
    const held = await control.read((reader) => rolesOf(reader, orgId, link.userId));
    await (held ? linkAccount(tx, by, link) : auditNotLinked(tx, by, link, "no_member"));
  },
};
