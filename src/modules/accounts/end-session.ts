import { and, eq, gt, isNull } from "drizzle-orm";
import { notFound } from "../../core/errors.ts";
import type { SessionId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { SignedIn } from "../../storage/context.ts";
import { sessions } from "./accounts.tables.ts";

/**
 * Ends one of the caller's sessions: a device that was lost, or this very one.
 *
 * @throws NOT_FOUND it is not theirs, or not open
 */
export async function endSession(context: SignedIn, { sessionId }: { sessionId: SessionId }): Promise<void> {
  const { control, actor } = context;
  await control.write(async (tx) => {
    const isTheirs = and(eq(sessions.id, sessionId), eq(sessions.userId, actor.userId));
    const ended = await tx
      .update(sessions)
      .set({ revokedAt: tx.now })
      .where(and(isTheirs, isNull(sessions.revokedAt), gt(sessions.idleUntil, tx.now)))
      .returning({ id: sessions.id });
    if (ended.length === 0) throw notFound();
    const subject = { kind: "session", id: sessionId };
    await audit(tx, context, "session.ended", { subject, after: { revoked_at: tx.now } });
  });
}
