import { and, eq, gt, isNull } from "drizzle-orm";
import { notFound } from "../../../core/errors.ts";
import type { SessionId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { sessions } from "../accounts.tables.ts";
import { endWithHandedOn } from "./end-with-handed-on.ts";

/**
 * Ends one of the caller's sessions, and those handed on from it.
 *
 * @throws NOT_FOUND the session is another account's, or not open
 */
export async function endSession(context: SignedIn, { sessionId }: { sessionId: SessionId }): Promise<void> {
  const { control, actor } = context;
  await control.write(async (tx) => {
    const isOwn = and(eq(sessions.id, sessionId), eq(sessions.user_id, actor.userId));
    const [open] = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(isOwn, isNull(sessions.revoked_at), gt(sessions.idle_until, tx.now)));
    if (!open) throw notFound();
    const handedOn = await endWithHandedOn(tx, sessionId);
    const subject = { kind: "session", id: sessionId };
    await audit(tx, context, "session.ended", { subject, after: { revoked_at: tx.now, handed_on: handedOn } });
  });
}
