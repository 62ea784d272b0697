import { eq } from "drizzle-orm";
import { newId, type OrgId } from "../../core/ids.ts";
import { organizations } from "../../identity/identity.tables.ts";
import type { Context } from "../../storage/context.ts";
import { addRow } from "../../storage/entity.ts";
import type { Tx } from "../../storage/store.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import type { User } from "../accounts/accounts.shapes.ts";
import { type LinkMailer, mailVerification } from "../accounts/email/send-verification.ts";
import { requireUsable } from "../accounts/passwords/password-policy.ts";
import type { Passwords } from "../accounts/passwords/passwords.ts";
import { type Client, openSession, type Session } from "../accounts/sessions/sessions.ts";
import { emailTaken, findAccount, findUser, insertUser } from "../accounts/users.ts";
import { insertMembership } from "./insert-membership.ts";
import { organizationEntity } from "./organizations.queries.ts";
import type { SignUpBody } from "./organizations.schemas.ts";
import type { Organization } from "./organizations.shapes.ts";

type SignUp = Omit<SignUpBody, "cookie"> & { client: Client };

interface SignedUp {
  user: User;
  organization: Organization;
  session: Session;
}

type SignUpContext = Context & LinkMailer & { passwords: Passwords; tenants: TenantStore };

/**
 * Creates an account, an organization and its empty tenant database, signs the account in as the owner, and mails a
 * link that verifies its address. The database file comes first: after a crash between the two, the file has no owner
 * and the next start removes it. No organization is ever without its file.
 *
 * @throws VALIDATION_ERROR the password is the e-mail address
 * @throws CONFLICT         the address already has an account, even one that a concurrent request created
 */
export async function signUpOrganization(context: SignUpContext, input: SignUp): Promise<SignedUp> {
  const { control, clock, passwords, tenants } = context;
  requireUsable(input.password, input);
  if (await control.read((reader) => findAccount(reader, input.email))) throw emailTaken();
  const passwordHash = await passwords.hash(input.password);

  const orgId = newId<"organization">(clock);
  try {
    await tenants.create(orgId, input.organization);
    return await control.write((tx) => addOrganization(tx, context, orgId, { ...input, passwordHash }));
  } catch (error) {
    // While that can't be read, the file stays: the next start removes one that nobody owns.
    if (!(await isCommitted(context, orgId).catch(() => true))) await tenants.discard(orgId);
    throw error;
  }
}

async function addOrganization(
  tx: Tx<"control">,
  context: SignUpContext,
  orgId: OrgId,
  { email, name, passwordHash, organization, client }: SignUp & { passwordHash: string },
): Promise<SignedUp> {
  const account = await insertUser(tx, context, { email, name, language: client.language, passwordHash });
  await mailVerification(tx, context, context, account);
  const created = await addRow(tx, context, organizationEntity, {
    action: "organization.created",
    orgId,
    row: { id: orgId, ...organization, created_at: tx.now, updated_at: tx.now },
    also: () => context.tenants.markOwned(tx, orgId),
  });
  await insertMembership(tx, context, { orgId, userId: account.id, roles: ["owner"] });
  const session = await openSession(tx, context, { account, orgId, amr: ["pwd"], client });
  return { user: await findUser(tx, account.id), organization: created.value, session };
}

/** Checked before the file is removed: a commit can succeed and still report an error. */
async function isCommitted({ control }: Context, orgId: OrgId): Promise<boolean> {
  const rows = await control.read((reader) =>
    reader.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, orgId)),
  );
  return rows.length > 0;
}
