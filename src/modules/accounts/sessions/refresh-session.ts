import { eq } from "drizzle-orm";
import { type Instant, isToCome, seconds, shift } from "../../../core/clock.ts";
import { unauthorized } from "../../../core/errors.ts";
import { users } from "../../../identity/identity.tables.ts";
import { organizationOf } from "../../../identity/memberships.queries.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import { isOpen } from "./authenticate-session.ts";
import { endWithHandedOn } from "./end-with-handed-on.ts";
import type { RefreshRef } from "./refresh-token.ts";
import { actorOf, type Client, idleUntil, type Session } from "./sessions.ts";

/** How long a used token is accepted again: for a second tab, or after a lost response. */
const REPEAT = seconds(10);

export const sessionOver = () => unauthorized("The session has ended. Sign in again.");

type Row = typeof sessions.$inferSelect;

/**
 * Exchanges a refresh token for the next one. The newest token of a session starts the next generation. The previous one
 * gets the same next token again, within 10 seconds of its first use and while the next token is unused. The reuse of any
 * other token shows that it was copied, so the session and those handed on from it end.
 *
 * @throws UNAUTHORIZED the session has ended, or ends by this reuse
 */
export async function refreshSession(
  { control, requestId }: Context,
  { sessionId, generation, client }: RefreshRef & { client: Client },
): Promise<Session> {
  const session = await control.write(async (tx) => {
    const [row] = await tx
      .select({ session: sessions, account: users })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.user_id))
      .where(eq(sessions.id, sessionId));
    if (!row || !isOpen(row, tx.now)) return undefined;
    const by = { actor: actorOf(row.account, sessionId), requestId };

    if (generation === row.session.generation) return rotate(tx, by, row.session, client);
    if (isRepeat(row.session, generation, tx.now)) return withOrganization(tx, row.session);
    await endReused(tx, by, row.session, generation);
    return undefined;
  });
  // Thrown outside the transaction: inside, it would roll back the revocation.
  if (!session) throw sessionOver();
  return session;
}

const isRepeat = (session: Row, generation: number, now: Instant) =>
  generation === session.generation - 1 && isToCome(shift(session.rotated_at, REPEAT + 1), now, REPEAT + 1);

async function rotate(
  tx: Tx<"control">,
  by: Parameters<typeof audit>[1],
  session: Row,
  { address, userAgent }: Client,
): Promise<Session> {
  const next = {
    generation: session.generation + 1,
    rotated_at: tx.now,
    idle_until: idleUntil(tx.now, session.ends_at),
    address,
    user_agent: userAgent,
  };
  await tx.update(sessions).set(next).where(eq(sessions.id, session.id));
  const subject = { kind: "session", id: session.id };
  await audit(tx, by, "session.refreshed", { subject, after: { generation: next.generation } });
  return withOrganization(tx, { ...session, ...next });
}

async function endReused(
  tx: Tx<"control">,
  by: Parameters<typeof audit>[1],
  session: Row,
  used: number,
): Promise<void> {
  const handedOn = await endWithHandedOn(tx, session.id);
  await audit(tx, by, "session.reuse_detected", {
    subject: { kind: "session", id: session.id },
    before: { generation: session.generation },
    after: { revoked_at: tx.now, generation_used: used, handed_on: handedOn },
  });
}

/** Looks the organization up again: the memberships may have changed since the session was opened. */
const withOrganization = async (reader: Reader<"control">, session: Row): Promise<Session> => ({
  ...session,
  org_id: await organizationOf(reader, session.user_id, session.org_id),
});
