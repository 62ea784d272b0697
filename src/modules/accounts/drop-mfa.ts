import { audit } from "../../storage/audit.ts";
import type { OperatorContext } from "../../storage/context.ts";
import { isEnrolled } from "./mfa/mfa.queries.ts";
import { removeSecondFactor } from "./mfa/remove-second-factor.ts";
import { requireAccount } from "./users.ts";

/**
 * Takes the second factor from an account, for somebody who has lost it and the recovery codes as well; their sessions
 * go on.
 *
 * @returns whether there was one
 * @throws NOT_FOUND
 */
export function dropMfa(context: OperatorContext, { email }: { email: string }): Promise<boolean> {
  return context.control.write(async (tx) => {
    const { id } = await requireAccount(tx, email);
    const had = await isEnrolled(tx, id);
    await removeSecondFactor(tx, id);
    if (had) await audit(tx, context, "mfa.dropped", { subject: { kind: "user", id } });
    return had;
  });
}
