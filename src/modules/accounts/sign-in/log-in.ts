import { eq } from "drizzle-orm";
import { forbidden } from "../../../core/errors.ts";
import type { OrgId } from "../../../core/ids.ts";
import type { Context } from "../../../storage/context.ts";
import { organizationOf } from "../../organizations/memberships.queries.ts";
import { users } from "../accounts.tables.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { Client } from "../sessions/sessions.ts";
import { findAccount } from "../users.ts";
import { accountDisabled, type Credentials, checkCredentials, wrongCredentials } from "./check-credentials.ts";
import { type SignIn, signIn } from "./sign-in.ts";

type FrontDoor = Context & { passwords: Passwords };

export interface LogIn extends Credentials {
  /** The organization to act in where none is named; by default the one joined first. */
  orgId?: OrgId | undefined;
  client: Client;
  /** Whether the refresh token is to travel in the cookie. */
  cookie: boolean;
}

/**
 * Signs somebody in with an e-mail address and a password: a session, or, with a second factor, a challenge. A stored
 * hash that is weaker than today's is replaced on the way.
 *
 * @throws UNAUTHORIZED the address or the password is wrong
 * @throws FORBIDDEN    the account is disabled, or not a member of the organization named
 */
export async function logIn(context: FrontDoor, input: LogIn): Promise<SignIn> {
  // Another login may have replaced the hash meanwhile: the password is then held to the new one, once.
  const outcome = (await tryToLogIn(context, input)) ?? (await tryToLogIn(context, input));
  if (!outcome) throw wrongCredentials();
  return outcome;
}

/** @returns undefined when the hash that was checked is no longer the account's */
async function tryToLogIn(context: FrontDoor, input: LogIn): Promise<SignIn | undefined> {
  const { email, orgId, client, cookie } = input;
  const checked = await checkCredentials(context, input);
  const stronger = await strongerHash(context, checked, input);
  return context.control.write(async (tx) => {
    // Hashing took a while, in which the password may have been changed or the account disabled.
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

/** The same password hashed at today's cost, where the stored hash is weaker. */
async function strongerHash(
  { passwords }: FrontDoor,
  { password_hash: passwordHash }: { password_hash: string | null },
  { password }: LogIn,
): Promise<string | undefined> {
  if (passwordHash === null || !passwords.isOutdated(passwordHash)) return undefined;
  return passwords.hash(password);
}
