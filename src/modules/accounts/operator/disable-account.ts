import { eq } from "drizzle-orm";
import { audit } from "../../../storage/audit.ts";
import type { OperatorContext } from "../../../storage/context.ts";
import { organizationsLeftWithoutOwner } from "../../organizations/owners.ts";
import { users } from "../accounts.tables.ts";
import { dropIdentities } from "../oauth/drop-identities.ts";
import { endSessionsOf } from "../sessions/end-sessions-of.ts";
import { requireAccount } from "../users.ts";

export interface Disabled {
  /** Whether it was not disabled before. */
  changed: boolean;
  sessionsEnded: number;
  /** Names of the organizations that have no owner now who could act. */
  ownerless: string[];
}

/**
 * Disables an account: nobody signs in to it, and its sessions end at once. The operator may do that to anybody, a last
 * owner too, since it is their means against a stolen account; they are told which organizations are without one then.
 * Accounts at providers that were linked later are dropped, so that no thief comes back by theirs after `enableAccount`.
 *
 * @throws NOT_FOUND
 */
export function disableAccount(context: OperatorContext, { email }: { email: string }): Promise<Disabled> {
  return context.control.write(async (tx) => {
    const { id, disabled_at: disabledAt } = await requireAccount(tx, email);
    const changed = disabledAt === null;
    if (changed) await tx.update(users).set({ disabled_at: tx.now }).where(eq(users.id, id));
    const ended = await endSessionsOf(tx, id);
    const dropped = await dropIdentities(tx, id, "linked_later");
    if (changed || ended.length > 0 || dropped.length > 0) {
      const after = { session_ids: ended, providers_dropped: dropped };
      await audit(tx, context, "account.disabled", { subject: { kind: "user", id }, after });
    }
    return { changed, sessionsEnded: ended.length, ownerless: await organizationsLeftWithoutOwner(tx, id) };
  });
}

/** Lets an account be signed in to again; sessions that ended stay ended. @returns whether it was disabled @throws NOT_FOUND */
export function enableAccount(context: OperatorContext, { email }: { email: string }): Promise<boolean> {
  return context.control.write(async (tx) => {
    const { id, disabled_at: disabledAt } = await requireAccount(tx, email);
    if (disabledAt === null) return false;
    await tx.update(users).set({ disabled_at: null }).where(eq(users.id, id));
    await audit(tx, context, "account.enabled", { subject: { kind: "user", id }, before: { disabled_at: disabledAt } });
    return true;
  });
}
