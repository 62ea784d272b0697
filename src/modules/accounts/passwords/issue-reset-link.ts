import { type Instant, shift } from "../../../core/clock.ts";
import type { users } from "../../../identity/identity.tables.ts";
import { audit } from "../../../storage/audit.ts";
import type { By, OperatorContext } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
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
  return context.control.write(async (tx) => resetLinkOf(tx, context, await requireAccount(tx, email)));
}

/** Posting: as `issueResetLink`. */
export async function resetLinkOf(
  tx: Tx<"control">,
  context: By & { linkUrl: string },
  { id, disabled_at }: Pick<typeof users.$inferSelect, "id" | "disabled_at">,
): Promise<ResetLink> {
  const token = await issueEmailToken(tx, { user_id: id, purpose: "reset", email: null });
  await audit(tx, context, "password.reset_link_issued", { subject: { kind: "user", id } });
  const expiresAt = shift(tx.now, TOKEN_LIFETIME.reset);
  return { link: linkTo(context.linkUrl, "reset", token), expiresAt, disabled: disabled_at !== null };
}
