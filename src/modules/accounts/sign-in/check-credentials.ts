import { forbidden, unauthorized } from "../../../core/errors.ts";
import type { Context } from "../../../storage/context.ts";
import type { users } from "../accounts.tables.ts";
import type { Passwords } from "../passwords/passwords.ts";
import { findAccount } from "../users.ts";

export interface Credentials {
  /** Trimmed and in lower case. */
  email: string;
  password: string;
}

export const wrongCredentials = () => unauthorized("The e-mail address or the password is wrong.");

export const accountDisabled = () => forbidden("account_disabled", "This account is disabled.");

/**
 * The account whose e-mail address and password these are. An unknown address takes the time and has the answer of a
 * wrong password; that an account is disabled learns only who knows its password.
 *
 * @throws UNAUTHORIZED the address or the password is wrong
 * @throws FORBIDDEN    the account is disabled
 */
export async function checkCredentials(
  { control, passwords }: Pick<Context, "control"> & { passwords: Passwords },
  { email, password }: Credentials,
): Promise<typeof users.$inferSelect> {
  const account = await control.read((reader) => findAccount(reader, email));
  const right = await passwords.verify(account?.password_hash, password);
  if (!account || !right) throw wrongCredentials();
  if (account.disabled_at !== null) throw accountDisabled();
  return account;
}
