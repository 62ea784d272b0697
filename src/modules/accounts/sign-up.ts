import type { Context } from "../../storage/context.ts";
import { findUser } from "./accounts.queries.ts";
import type { User } from "./accounts.shapes.ts";
import { type Post, postVerification } from "./email/send-verification.ts";
import { requireUsable } from "./passwords/password-policy.ts";
import type { Passwords } from "./passwords/passwords.ts";
import { type Client, openSession, type Session } from "./sessions/sessions.ts";
import { emailTaken, findAccount, insertUser } from "./users.ts";

type FrontDoor = Context & Post & { passwords: Passwords };

export interface SignUp {
  email: string;
  password: string;
  name: string;
  client: Client;
}

export interface SignedUp {
  user: User;
  session: Session;
}

/**
 * Makes an account that belongs to no organization, signs it in, and mails a link that proves its address.
 *
 * @throws VALIDATION_ERROR the password is the e-mail address
 * @throws CONFLICT         the address has an account, even one made at this very moment
 */
export async function signUp(context: FrontDoor, { client, ...input }: SignUp): Promise<SignedUp> {
  const { control, passwords } = context;
  const { email, name, password } = input;
  requireUsable(password, input);
  if (await control.read((reader) => findAccount(reader, email))) throw emailTaken();
  const passwordHash = await passwords.hash(password);

  return control.write(async (tx) => {
    const account = await insertUser(tx, context, { email, name, passwordHash });
    await postVerification(tx, context, context, account);
    const session = await openSession(tx, context, { account, orgId: null, amr: ["pwd"], client });
    return { user: await findUser(tx, account.id), session };
  });
}
