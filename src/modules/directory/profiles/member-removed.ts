import { eq } from "drizzle-orm";
import type { UserId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { IntentKind } from "../../../storage/intents.ts";
import { refreshEntry } from "../entries/refresh-entry.ts";
import { directoryProfiles as table } from "../profiles.tables.ts";

/** Ends the consent of an account that is no longer a member: the instructor's entry leaves the directory. */
export const memberRemoved: IntentKind<"control", { userId: UserId; requestId: string }> = {
  name: "directory.member_removed",
  from: "control",
  async apply(tx, { userId, requestId }) {
    const ended = await tx
      .update(table)
      .set({ consented_by: null, consented_at: null, updated_at: tx.now })
      .where(eq(table.consented_by, userId))
      .returning({ id: table.id, subject_id: table.subject_id });
    const by = { actor: { kind: "job", name: "intents" }, requestId } as const;
    for (const { id, subject_id } of ended) {
      await audit(tx, by, "directory_profile.consent_ended", { subject: { kind: "directory_profile", id } });
      await refreshEntry(tx, { type: "instructors", id: subject_id });
    }
  },
};
