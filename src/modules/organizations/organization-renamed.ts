import { audit } from "../../storage/audit.ts";
import type { IntentKind } from "../../storage/intents.ts";
import { meta } from "../../storage/tenant.tables.ts";

/** Carries an organization's new name into its own file, which then still explains itself. */
export const organizationRenamed: IntentKind<"control", { name: string; requestId: string }> = {
  name: "organization.renamed",
  from: "control",
  async apply(tx, { name, requestId }, orgId) {
    const [before] = await tx.select({ name: meta.name }).from(meta);
    await tx.update(meta).set({ name });
    // Who renamed it is in the control database's log, under the same request.
    await audit(tx, { actor: { kind: "job", name: "intents" }, requestId }, "organization.renamed", {
      subject: { kind: "organization", id: orgId },
      before,
      after: { name },
    });
  },
};
