import { eq } from "drizzle-orm";
import { type Instant, seconds, shift } from "../../../core/clock.ts";
import { newToken, sha256 } from "../../../core/crypto.ts";
import { invalid, unauthorized } from "../../../core/errors.ts";
import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { organizationOf } from "../../organizations/memberships.queries.ts";
import { type accountTypes, handoffTokens, sessions } from "../accounts.tables.ts";

export type AccountType = (typeof accountTypes)[number];

export const HANDOFF_LIFETIME = seconds(60);

export interface Handoff {
  /** Handed out once; only its hash is kept. */
  token: string;
  expiresAt: Instant;
  accountType: AccountType;
}

/**
 * Lets the caller continue in another front end: whoever brings the token there is given a session of its own.
 *
 * @throws VALIDATION_ERROR `org` was asked for by who belongs to no organization
 */
export async function issueHandoff(
  context: SignedIn,
  { accountType: asked }: { accountType?: AccountType | undefined },
): Promise<Handoff> {
  const { actor, control } = context;
  const token = newToken();
  return control.write(async (tx) => {
    const [session] = await tx.select().from(sessions).where(eq(sessions.id, actor.sessionId));
    if (!session || session.revoked_at !== null) throw unauthorized();
    const isMember = (await organizationOf(tx, actor.userId, null)) !== null;
    if (asked === "org" && !isMember) {
      throw invalid({ path: "account_type", code: "no_membership", message: "You belong to no organization." });
    }
    const accountType = asked ?? (isMember ? "org" : "pilot");
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
