import { and, eq, isNull } from "drizzle-orm";
import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { sessions } from "../accounts.tables.ts";

/** Ends every session of the caller, including the current one. */
export async function endAllSessions(context: SignedIn): Promise<void> {
  const { control, actor } = context;
  await control.write(async (tx) => {
    const ended = await tx
      .update(sessions)
      .set({ revoked_at: tx.now })
      .where(and(eq(sessions.user_id, actor.userId), isNull(sessions.revoked_at)))
      .returning({ id: sessions.id });
    await audit(tx, context, "sessions.ended", {
      subject: { kind: "user", id: actor.userId },
      after: { session_ids: ended.map(({ id }) => id) },
    });
  });
}
