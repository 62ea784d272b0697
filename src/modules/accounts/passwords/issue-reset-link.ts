import { type Instant, shift } from "../../../core/clock.ts";
import { audit } from "../../../storage/audit.ts";
import type { OperatorContext } from "../../../storage/context.ts";
import { linkTo } from "../email/account-mails.ts";
import { issueEmailToken, TOKEN_LIFETIME } from "../email/email-tokens.ts";
import { requireAccount } from "../users.ts";

export interface ResetLink {
  link: string;
  expiresAt: Instant;
  /** Whether the account is disabled: a new password does not enable it. */
  disabled: boolean;
}

/**
 * Issues a password reset link that the operator passes on. Its use does not verify the address, and keeps the second factor.
 * An account with an unverified address then loses all linked providers, since another person may have created it.
 *
 * @throws NOT_FOUND
 */
export function issueResetLink(
  context: OperatorContext & { linkUrl: string },
  { email }: { email: string },
): Promise<ResetLink> {
  return context.control.write(async (tx) => {
    const { id, disabled_at } = await requireAccount(tx, email);
    const token = await issueEmailToken(tx, { user_id: id, purpose: "reset", email: null });
    await audit(tx, context, "password.reset_link_issued", { subject: { kind: "user", id } });
    const expiresAt = shift(tx.now, TOKEN_LIFETIME.reset);
    return { link: linkTo(context.linkUrl, "reset", token), expiresAt, disabled: disabled_at !== null };
  });
}
