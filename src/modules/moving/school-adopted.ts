import { audit } from "../../storage/audit.ts";
import type { IntentKind } from "../../storage/intents.ts";
import { refreshEntries } from "../directory/entries/refresh-entry.ts";

interface Adopted {
  /** Identifies the secret of the installation that it comes from. */
  key_id: string;
  by: string;
}

/** What an adopted school's own database notes, and publishes here. What was due there is due here. */
export const schoolAdopted: IntentKind<"control", Adopted> = {
  name: "organization.adopted",
  from: "control",
  async apply(tx, { key_id, by }, orgId) {
    await refreshEntries(tx);
    tx.due();
    await audit(tx, { actor: { kind: "job", name: "intents" }, requestId: "" }, "organization.adopted", {
      subject: { kind: "organization", id: orgId },
      after: { from_key_id: key_id, adopted_by: by },
    });
  },
};
