import type { PersonId, UserId } from "../../core/ids.ts";
import type { IntentKind } from "../../storage/intents.ts";
import { linkAccount } from "../people/link-account.ts";

/** Carries who claimed a student invite into the organization's records: the account is the person from then on. */
export const studentClaimed: IntentKind<"control", { personId: PersonId; userId: UserId; requestId: string }> = {
  name: "student.claimed",
  from: "control",
  apply: (tx, { requestId, ...link }) =>
    // Who claimed it is in the control database's log, under the same request.
    linkAccount(tx, { actor: { kind: "job", name: "intents" }, requestId }, link),
};
