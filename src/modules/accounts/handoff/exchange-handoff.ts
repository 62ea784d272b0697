import { and, eq, isNull } from "drizzle-orm";
import { type Instant, toInstant } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import { unauthorized } from "../../../core/errors.ts";
import type { OrgId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";
import { noOrganization, organizationOf } from "../../../identity/memberships.queries.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { handoffTokens, sessions } from "../accounts.tables.ts";
import { isOpen } from "../sessions/authenticate-session.ts";
import { actorOf, type Client, openSession, type Session } from "../sessions/sessions.ts";
import type { AccountType } from "./issue-handoff.ts";

/** The same message for every cause: only the holder of a valid token may learn more. */
const noHandoff = () => unauthorized("The hand-off token is unknown, used or expired.");

/**
 * Exchanges a hand-off token for a new session, once, while the original session is open. The new session has the
 * authentication methods and the time of the original sign-in and ends 90 days after it, so that repeated hand-offs do
 * not extend it. A step-up of the original session does not carry over. The new session ends when the original one is
 * revoked, but not when that expires from idleness.
 *
 * @throws UNAUTHORIZED the token is unknown, used or expired; the session has ended; the account is disabled, or is no
 *   longer a member of an organization
 */
export async function exchangeHandoff(
  { control, clock, requestId }: Context,
  { token, client }: { token: string; client: Client },
): Promise<{ session: Session; accountType: AccountType }> {
  const tokenHash = sha256(token);
  // Checked by a read first: an invalid token from a stranger must not take the write transaction.
  await control.read((reader) => requireHandoff(reader, tokenHash, toInstant(clock.now())));
  return control.write(async (tx) => {
    const { account, handoff, session: from } = await requireHandoff(tx, tokenHash, tx.now);

    await tx.update(handoffTokens).set({ used_at: tx.now }).where(eq(handoffTokens.token_hash, tokenHash));
    const orgId = handoff.account_type === "pilot" ? noOrganization : await organizationFor(tx, from);
    const origin = { amr: from.amr, authTime: from.auth_time, handedOnFrom: from.id };
    const session = await openSession(tx, { clock, requestId }, { account, orgId, ...origin, client });
    await audit(tx, { actor: actorOf(account, session.id), requestId }, "handoff.exchanged", {
      subject: { kind: "session", id: session.id },
      after: { from_session_id: from.id, account_type: handoff.account_type },
    });
    return { session, accountType: handoff.account_type };
  });
}

async function requireHandoff(reader: Reader<"control">, tokenHash: string, now: Instant) {
  const [row] = await reader
    .select({ handoff: handoffTokens, session: sessions, account: users })
    .from(handoffTokens)
    .innerJoin(sessions, eq(sessions.id, handoffTokens.session_id))
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(eq(handoffTokens.token_hash, tokenHash), isNull(handoffTokens.used_at)));
  if (!row || row.handoff.expires_at <= now || !isOpen(row, now)) throw noHandoff();
  return row;
}

async function organizationFor(
  tx: Tx<"control">,
  { user_id, org_id }: Pick<typeof sessions.$inferSelect, "user_id" | "org_id">,
): Promise<OrgId> {
  const orgId = await organizationOf(tx, user_id, org_id === noOrganization ? null : org_id);
  if (orgId === null) throw noHandoff();
  return orgId;
}
