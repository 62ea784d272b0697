import { audit } from "../../../storage/audit.ts";
import type { OperatorContext } from "../../../storage/context.ts";
import { findEnrollment } from "../mfa/mfa.queries.ts";
import { removeSecondFactor } from "../mfa/remove-second-factor.ts";
import { requireAccount } from "../users.ts";

/**
 * Takes the second factor from an account, for somebody who has lost it and the recovery codes as well; their sessions
 * go on. One that was only begun goes as well.
 *
 * @returns whether there was one
 * @throws NOT_FOUND
 */
export function dropMfa(context: OperatorContext, { email }: { email: string }): Promise<boolean> {
  return context.control.write(async (tx) => {
    const { id } = await requireAccount(tx, email);
    const enrollment = await findEnrollment(tx, id);
    await removeSecondFactor(tx, id);
    if (!enrollment) return false;
    const { confirmed_at: confirmedAt } = enrollment;
    const subject = { kind: "user", id };
    await audit(tx, context, "mfa.dropped", { subject, before: { confirmed_at: confirmedAt } });
    return confirmedAt !== null;
  });
}
