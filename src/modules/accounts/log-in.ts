import { forbidden } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import type { Context } from "../../storage/context.ts";
import { organizationOf } from "../organizations/memberships.queries.ts";
import { accountDisabled, type Credentials, checkCredentials, wrongCredentials } from "./check-credentials.ts";
import type { Passwords } from "./passwords.ts";
import { type Client, openSession, type Session } from "./sessions.ts";
import { findAccount } from "./users.ts";

export interface LogIn extends Credentials {
  /** The organization to act in where none is named; by default the one joined first. */
  orgId?: OrgId | undefined;
  client: Client;
}

/**
 * Opens a session with an e-mail address and a password.
 *
 * @throws UNAUTHORIZED the address or the password is wrong
 * @throws FORBIDDEN    the account is disabled, or not a member of the organization named
 */
export async function logIn(context: Context & { passwords: Passwords }, input: LogIn): Promise<Session> {
  const { email, orgId, client } = input;
  const checked = await checkCredentials(context, input);
  return context.control.write(async (tx) => {
    // Hashing took a while, in which the password may have been changed or the account disabled.
    const account = await findAccount(tx, email);
    if (account?.passwordHash !== checked.passwordHash) throw wrongCredentials();
    if (account.disabledAt !== null) throw accountDisabled();

    const actsIn = await organizationOf(tx, account.id, orgId ?? null);
    if (orgId !== undefined && actsIn !== orgId) throw forbidden("You are not a member of this organization.");
    const session = await openSession(tx, context, { account, orgId: orgId ?? null, amr: ["pwd"], client });
    return { ...session, orgId: actsIn };
  });
}
