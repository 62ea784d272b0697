import { audit } from "../../../storage/audit.ts";
import type { OperatorContext } from "../../../storage/context.ts";
import { findEnrollment } from "../mfa/mfa.queries.ts";
import { removeSecondFactor } from "../mfa/remove-second-factor.ts";
import { requireAccount } from "../users.ts";

/**
 * Removes the second factor of an account whose owner has lost the authenticator and the recovery codes. The sessions stay
 * open. An unconfirmed enrollment is removed as well.
 *
 * @returns whether the account had a second factor
 * @throws NOT_FOUND
 */
export function dropMfa(context: OperatorContext, { email }: { email: string }): Promise<boolean> {
  return context.control.write(async (tx) => {
    const { id } = await requireAccount(tx, email);
    const enrollment = await findEnrollment(tx, id);
    await removeSecondFactor(tx, id);
    if (!enrollment) return false;
    const { confirmed_at } = enrollment;
    const subject = { kind: "user", id };
    await audit(tx, context, "mfa.dropped", { subject, before: { confirmed_at } });
    return confirmed_at !== null;
  });
}
