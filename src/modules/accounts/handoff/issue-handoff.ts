import { eq } from "drizzle-orm";
import { type Instant, seconds, shift } from "../../../core/clock.ts";
import { newToken, sha256 } from "../../../core/crypto.ts";
import { invalid, unauthorized } from "../../../core/errors.ts";
import { organizationOf } from "../../../identity/memberships.queries.ts";
import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { type accountTypes, handoffTokens, sessions } from "../accounts.tables.ts";

export type AccountType = (typeof accountTypes)[number];

export const HANDOFF_LIFETIME = seconds(60);

export interface Handoff {
  /** Returned once; stored as a hash only. */
  token: string;
  expiresAt: Instant;
  accountType: AccountType;
}

/**
 * Issues a token by which another front end opens a session of its own for the caller.
 *
 * @throws VALIDATION_ERROR `org` was requested, and the account has no membership
 */
export async function issueHandoff(
  context: SignedIn,
  { accountType: requested }: { accountType?: AccountType | undefined },
): Promise<Handoff> {
  const { actor, control } = context;
  const token = newToken();
  return control.write(async (tx) => {
    const [session] = await tx.select().from(sessions).where(eq(sessions.id, actor.sessionId));
    if (!session || session.revoked_at !== null) throw unauthorized();
    const isMember = (await organizationOf(tx, actor.userId, null)) !== null;
    if (requested === "org" && !isMember) {
      throw invalid({
        path: "account_type",
        code: "no_membership",
        message: "You are not a member of any organization.",
      });
    }
    const accountType = requested ?? (isMember ? "org" : "pilot");
    const expiresAt = shift(tx.now, HANDOFF_LIFETIME);
    const { sessionId } = actor;
    await tx.insert(handoffTokens).values({
      token_hash: sha256(token),
      session_id: sessionId,
      account_type: accountType,
      created_at: tx.now,
      expires_at: expiresAt,
    });
    const subject = { kind: "session", id: sessionId };
    await audit(tx, context, "handoff.issued", { subject, after: { account_type: accountType } });
    return { token, expiresAt, accountType };
  });
}
