import { and, eq } from "drizzle-orm";
import { conflict, notFound, unauthorized } from "../../../core/errors.ts";
import { users } from "../../../identity/identity.tables.ts";
import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { requireSteppedUp } from "../mfa/require-step-up.ts";
import { identities } from "./oauth.tables.ts";
import type { OAuth } from "./start-oauth.ts";

/**
 * Unlinks a provider from the caller's account. Sessions opened through it stay open.
 *
 * @throws STEP_UP_REQUIRED the caller has a second factor and has not verified it recently
 * @throws NOT_FOUND        the provider is not linked
 * @throws CONFLICT         the account has no password and no other linked provider that is configured
 */
export async function unlinkProvider(
  context: SignedIn & Pick<OAuth, "providers">,
  { provider }: { provider: string },
): Promise<void> {
  const { actor, control, providers } = context;
  const { userId } = actor;
  await control.write(async (tx) => {
    await requireSteppedUp(tx, actor, tx.now);
    const linked = await tx.select().from(identities).where(eq(identities.user_id, userId));
    if (!linked.some((identity) => identity.provider === provider)) throw notFound();
    const [account] = await tx.select().from(users).where(eq(users.id, userId));
    if (!account) throw unauthorized();
    const others = linked.filter((other) => other.provider !== provider && providers.has(other.provider));
    if (account.password_hash === null && others.length === 0) {
      throw conflict(
        "last_sign_in_method",
        "The account has no other way to sign in. Set a password first: `POST /auth/password/forgot`.",
      );
    }

    await tx.delete(identities).where(and(eq(identities.user_id, userId), eq(identities.provider, provider)));
    await audit(tx, context, "identity.unlinked", { subject: { kind: "user", id: userId }, before: { provider } });
  });
}
