import { and, eq, isNull } from "drizzle-orm";
import { type Instant, toInstant } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import { unauthorized } from "../../../core/errors.ts";
import type { OrgId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { noOrganization, organizationOf } from "../../organizations/memberships.queries.ts";
import { handoffTokens, sessions, users } from "../accounts.tables.ts";
import { isOpen } from "../sessions/authenticate-session.ts";
import { actorOf, type Client, openSession, type Session } from "../sessions/sessions.ts";
import type { AccountType } from "./issue-handoff.ts";

/** One answer for every reason: which it was is nobody's business who has not the token. */
const noHandoff = () => unauthorized("The hand-off token is unknown, used or expired.");

/**
 * Opens a session for whoever brings the token, once, while the session that it comes from is open. The new one is as
 * old as the sign-in that both stem from: it says how and when that was, and ends 90 days after it, so that handing on
 * and on gains nobody a day. A second factor shown there counts for nothing that demands a fresh one here. It ends with the
 * one it comes from when that is ended, but not when that runs out for want of use.
 *
 * @throws UNAUTHORIZED the token is unknown, used or expired; the session has ended, the account is disabled, or it
 *   belongs to no organization any more
 */
export async function exchangeHandoff(
  { control, clock, requestId }: Context,
  { token, client }: { token: string; client: Client },
): Promise<{ session: Session; accountType: AccountType }> {
  const tokenHash = sha256(token);
  // Anybody may come with anything: what is not there is not worth the one transaction that all writers wait for.
  await control.read((reader) => requireHandoff(reader, tokenHash, toInstant(clock.now())));
  return control.write(async (tx) => {
    const { account, handoff, session: from } = await requireHandoff(tx, tokenHash, tx.now);
    const { account_type: accountType } = handoff;

    await tx.update(handoffTokens).set({ used_at: tx.now }).where(eq(handoffTokens.token_hash, tokenHash));
    const orgId = accountType === "pilot" ? noOrganization : await organizationFor(tx, from);
    const { id: handedOnFrom, amr, auth_time: authTime } = from;
    const opened = { account, orgId, amr, authTime, handedOnFrom, client };
    const session = await openSession(tx, { clock, requestId }, opened);
    await audit(tx, { actor: actorOf(account, session.id), requestId }, "handoff.exchanged", {
      subject: { kind: "session", id: session.id },
      after: { from_session_id: from.id, account_type: accountType },
    });
    return { session, accountType };
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
  { user_id: userId, org_id: orgId }: Pick<typeof sessions.$inferSelect, "user_id" | "org_id">,
): Promise<OrgId> {
  const actsIn = await organizationOf(tx, userId, orgId === noOrganization ? null : orgId);
  if (actsIn === null) throw noHandoff();
  return actsIn;
}
