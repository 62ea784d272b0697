import { eq } from "drizzle-orm";
import { users } from "../../../identity/identity.tables.ts";
import { organizationsLeftWithoutOwner } from "../../../identity/memberships.queries.ts";
import { audit } from "../../../storage/audit.ts";
import type { OperatorContext } from "../../../storage/context.ts";
import { dropIdentities } from "../oauth/drop-identities.ts";
import { endSessionsOf } from "../sessions/end-sessions-of.ts";
import { requireAccount } from "../users.ts";

export interface Disabled {
  /** False if it was disabled before. */
  changed: boolean;
  sessionsEnded: number;
  /** Names of the organizations that now have no owner with an enabled account. */
  ownerless: string[];
}

/**
 * Disables an account: it cannot sign in, and its sessions end immediately. This is the operator's means against a stolen
 * account, so it works on a last owner too; the result names the organizations left without an owner. Providers that
 * were linked later are unlinked, so that a thief cannot sign in through one after `enableAccount`.
 *
 * @throws NOT_FOUND
 */
export function disableAccount(context: OperatorContext, { email }: { email: string }): Promise<Disabled> {
  return context.control.write(async (tx) => {
    const { id, disabled_at } = await requireAccount(tx, email);
    const changed = disabled_at === null;
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

/** Enables an account. Its ended sessions stay ended. @returns whether it was disabled @throws NOT_FOUND */
export function enableAccount(context: OperatorContext, { email }: { email: string }): Promise<boolean> {
  return context.control.write(async (tx) => {
    const { id, disabled_at } = await requireAccount(tx, email);
    if (disabled_at === null) return false;
    await tx.update(users).set({ disabled_at: null }).where(eq(users.id, id));
    await audit(tx, context, "account.enabled", { subject: { kind: "user", id }, before: { disabled_at } });
    return true;
  });
}
