import { eq } from "drizzle-orm";
import { forbidden } from "../../../core/errors.ts";
import type { OrgId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";
import { organizationOf } from "../../../identity/memberships.queries.ts";
import type { Context } from "../../../storage/context.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { Client } from "../sessions/sessions.ts";
import { findAccount } from "../users.ts";
import { accountDisabled, type Credentials, checkCredentials, wrongCredentials } from "./check-credentials.ts";
import { type SignIn, signIn } from "./sign-in.ts";

type LogInContext = Context & { passwords: Passwords };

export interface LogIn extends Credentials {
  /** The organization of requests that name none; by default the one joined first. */
  orgId?: OrgId | undefined;
  client: Client;
  /** Whether the refresh token goes into the cookie. */
  cookie: boolean;
}

/**
 * Signs in an account by e-mail address and password: opens a session, or returns a challenge if it has a second factor.
 * Replaces a stored hash that is weaker than the current cost.
 *
 * @throws UNAUTHORIZED the address or the password is wrong
 * @throws FORBIDDEN    the account is disabled, or not a member of the organization named
 */
export async function logIn(context: LogInContext, input: LogIn): Promise<SignIn> {
  // A concurrent login may have replaced the hash. The password is then checked against the new one, once.
  const outcome = (await tryToLogIn(context, input)) ?? (await tryToLogIn(context, input));
  if (!outcome) throw wrongCredentials();
  return outcome;
}

/** @returns undefined if the checked hash is no longer the account's */
async function tryToLogIn(context: LogInContext, input: LogIn): Promise<SignIn | undefined> {
  const { email, orgId, client, cookie } = input;
  const checked = await checkCredentials(context, input);
  const stronger = await strongerHash(context, checked, input);
  return context.control.write(async (tx) => {
    // While it was hashed, the password may have changed or the account may have been disabled.
    const account = await findAccount(tx, email);
    if (account?.password_hash !== checked.password_hash) return undefined;
    if (account.disabled_at !== null) throw accountDisabled();

    const actsIn = await organizationOf(tx, account.id, orgId ?? null);
    if (orgId !== undefined && actsIn !== orgId)
      throw forbidden("not_a_member", "You are not a member of this organization.");
    if (stronger !== undefined) await tx.update(users).set({ password_hash: stronger }).where(eq(users.id, account.id));
    return signIn(tx, context, { account, orgId: orgId ?? null, amr: ["pwd"], client, cookie });
  });
}

/** Returns a new hash of the password if the stored one is weaker than the current cost. */
async function strongerHash(
  { passwords }: LogInContext,
  { password_hash }: { password_hash: string | null },
  { password }: LogIn,
): Promise<string | undefined> {
  if (password_hash === null || !passwords.isOutdated(password_hash)) return undefined;
  return passwords.hash(password);
}
