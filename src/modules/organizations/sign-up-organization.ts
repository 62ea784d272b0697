import type { OrgId } from "../../core/ids.ts";
import type { Context } from "../../storage/context.ts";
import type { Tx } from "../../storage/store.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import type { User } from "../accounts/accounts.shapes.ts";
import { type LinkMailer, mailVerification } from "../accounts/email/send-verification.ts";
import { requireUsable } from "../accounts/passwords/password-policy.ts";
import type { Passwords } from "../accounts/passwords/passwords.ts";
import { type Client, openSession, type Session } from "../accounts/sessions/sessions.ts";
import type { SignUpSetting } from "../accounts/sign-up-setting.ts";
import { requireOpenSignUp } from "../accounts/sign-ups.ts";
import { emailTaken, findAccount, findUser, insertUser } from "../accounts/users.ts";
import { addOrganization, withNewFile } from "./add-organization.ts";
import type { SignUpBody } from "./organizations.schemas.ts";
import type { Organization } from "./organizations.shapes.ts";

type SignUp = Omit<SignUpBody, "cookie"> & { client: Client };

interface SignedUp {
  user: User;
  organization: Organization;
  session: Session;
}

type SignUpContext = Context & LinkMailer & { passwords: Passwords; tenants: TenantStore; signUp: SignUpSetting };

/**
 * Creates an account, an organization and its empty tenant database, signs the account in as the owner, and mails a
 * link that verifies its address.
 *
 * @throws FORBIDDEN        the operator lets nobody sign up
 * @throws VALIDATION_ERROR the password is the e-mail address
 * @throws CONFLICT         the address already has an account, even one that a concurrent request created
 */
export async function signUpOrganization(context: SignUpContext, input: SignUp): Promise<SignedUp> {
  const { control, clock, passwords, tenants } = context;
  await control.read((reader) => requireOpenSignUp(reader, context.signUp));
  requireUsable(input.password, input);
  if (await control.read((reader) => findAccount(reader, input.email))) throw emailTaken();
  const passwordHash = await passwords.hash(input.password);

  return withNewFile({ control, clock, tenants }, input.organization, (tx, orgId) =>
    addSignedUp(tx, context, orgId, { ...input, passwordHash }),
  );
}

async function addSignedUp(
  tx: Tx<"control">,
  context: SignUpContext,
  orgId: OrgId,
  { email, name, passwordHash, organization, client }: SignUp & { passwordHash: string },
): Promise<SignedUp> {
  await requireOpenSignUp(tx, context.signUp);
  const account = await insertUser(tx, context, { email, name, language: client.language, passwordHash });
  await mailVerification(tx, context, context, account);
  const created = await addOrganization(tx, context, { orgId, organization, ownerId: account.id });
  const session = await openSession(tx, context, { account, orgId, amr: ["pwd"], client });
  return { user: await findUser(tx, account.id), organization: created, session };
}
