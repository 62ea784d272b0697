import type { Context } from "../../storage/context.ts";
import type { User } from "./accounts.shapes.ts";
import { type LinkMailer, mailVerification } from "./email/send-verification.ts";
import { requireUsable } from "./passwords/password-policy.ts";
import type { Passwords } from "./passwords/passwords.ts";
import { type Client, openSession, type Session } from "./sessions/sessions.ts";
import type { SignUpSetting } from "./sign-up-setting.ts";
import { requireOpenSignUp } from "./sign-ups.ts";
import { emailTaken, findAccount, findUser, insertUser } from "./users.ts";

type SignUpContext = Context & LinkMailer & { passwords: Passwords; signUp: SignUpSetting };

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
 * Creates an account without an organization, signs it in, and mails a link that verifies its address.
 *
 * @throws FORBIDDEN        the operator lets nobody sign up
 * @throws VALIDATION_ERROR the password is the e-mail address
 * @throws CONFLICT         the address already has an account, even one that a concurrent request created
 */
export async function signUp(context: SignUpContext, { client, ...input }: SignUp): Promise<SignedUp> {
  const { control, passwords } = context;
  const { email, name, password } = input;
  await control.read((reader) => requireOpenSignUp(reader, context.signUp));
  requireUsable(password, input);
  if (await control.read((reader) => findAccount(reader, email))) throw emailTaken();
  const passwordHash = await passwords.hash(password);

  return control.write(async (tx) => {
    await requireOpenSignUp(tx, context.signUp);
    const account = await insertUser(tx, context, { email, name, language: client.language, passwordHash });
    await mailVerification(tx, context, context, account);
    const session = await openSession(tx, context, { account, orgId: null, amr: ["pwd"], client });
    return { user: await findUser(tx, account.id), session };
  });
}
