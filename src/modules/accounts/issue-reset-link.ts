import { type Instant, shift } from "../../core/clock.ts";
import { audit } from "../../storage/audit.ts";
import type { OperatorContext } from "../../storage/context.ts";
import { linkTo } from "./account-mails.ts";
import { issueEmailToken, TOKEN_LIFETIME } from "./email-tokens.ts";
import { requireAccount } from "./users.ts";

export interface ResetLink {
  link: string;
  expiresAt: Instant;
}

/**
 * A link that somebody can choose a new password by, for the operator to hand on. It proves no address and drops no
 * second factor.
 *
 * @throws NOT_FOUND
 */
export function issueResetLink(
  context: OperatorContext & { linkUrl: string },
  { email }: { email: string },
): Promise<ResetLink> {
  return context.control.write(async (tx) => {
    const { id } = await requireAccount(tx, email);
    const token = await issueEmailToken(tx, { userId: id, purpose: "reset", email: null });
    await audit(tx, context, "password.reset_link_issued", { subject: { kind: "user", id } });
    return { link: linkTo(context.linkUrl, "reset", token), expiresAt: shift(tx.now, TOKEN_LIFETIME.reset) };
  });
}
