import { forbidden, unauthorized } from "../../../core/errors.ts";
import type { users } from "../../../identity/identity.tables.ts";
import type { Context } from "../../../storage/context.ts";
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
 * Returns the account with this e-mail address and password. An unknown address takes the same time and gets the same
 * error as a wrong password. Only a caller with the correct password learns that an account is disabled.
 *
 * @throws UNAUTHORIZED the address or the password is wrong
 * @throws FORBIDDEN    the account is disabled
 */
export async function checkCredentials(
  { control, passwords }: Pick<Context, "control"> & { passwords: Passwords },
  { email, password }: Credentials,
): Promise<typeof users.$inferSelect> {
  const account = await control.read((reader) => findAccount(reader, email));
  const isCorrect = await passwords.verify(account?.password_hash, password);
  if (!account || !isCorrect) throw wrongCredentials();
  if (account.disabled_at !== null) throw accountDisabled();
  return account;
}
