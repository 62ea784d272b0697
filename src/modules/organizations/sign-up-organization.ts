import { eq } from "drizzle-orm";
import { newId, type OrgId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import type { Tx } from "../../storage/store.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import { findUser } from "../accounts/accounts.queries.ts";
import type { User } from "../accounts/accounts.shapes.ts";
import { type Post, postVerification } from "../accounts/email/send-verification.ts";
import { requireUsable } from "../accounts/passwords/password-policy.ts";
import type { Passwords } from "../accounts/passwords/passwords.ts";
import { type Client, openSession, type Session } from "../accounts/sessions/sessions.ts";
import { emailTaken, findAccount, insertUser } from "../accounts/users.ts";
import { insertMembership } from "./insert-membership.ts";
import { findOrganization } from "./organizations.queries.ts";
import type { Organization } from "./organizations.shapes.ts";
import { organizations } from "./organizations.tables.ts";

export interface NewOrganization {
  name: string;
  kind: Organization["kind"];
  approval_number: string | null;
  authority: string | null;
  home_icao: string | null;
  time_zone: string;
  currency: string;
}

export interface SignUp {
  email: string;
  password: string;
  name: string;
  organization: NewOrganization;
  client: Client;
}

export interface SignedUp {
  user: User;
  organization: Organization;
  session: Session;
}

type FrontDoor = Context & Post & { passwords: Passwords; tenants: TenantStore };

/**
 * Makes an account, an organization and its empty records, signs the account in as the owner, and mails a link that
 * proves its address. The records' file comes first: cut off in between, it belongs to nobody and is swept at the next
 * start, and no organization is ever without its file.
 *
 * @throws VALIDATION_ERROR the password is the e-mail address
 * @throws CONFLICT         the address has an account, even one made at this very moment
 */
export async function signUpOrganization(context: FrontDoor, input: SignUp): Promise<SignedUp> {
  const { control, clock, passwords, tenants } = context;
  requireUsable(input.password, input);
  if (await control.read((reader) => findAccount(reader, input.email))) throw emailTaken();
  const passwordHash = await passwords.hash(input.password);

  const orgId = newId<"organization">(clock);
  try {
    await tenants.create(orgId, input.organization);
    return await control.write((tx) => establish(tx, context, orgId, { ...input, passwordHash }));
  } catch (error) {
    if (await belongsToNobody(context, orgId)) await tenants.discard(orgId);
    throw error;
  }
}

async function establish(
  tx: Tx<"control">,
  context: FrontDoor,
  orgId: OrgId,
  { email, name, passwordHash, organization, client }: SignUp & { passwordHash: string },
): Promise<SignedUp> {
  const account = await insertUser(tx, context, { email, name, passwordHash });
  await postVerification(tx, context, context, account);
  await tx.insert(organizations).values({ id: orgId, ...organization, created_at: tx.now, updated_at: tx.now });
  await context.tenants.own(tx, orgId);
  const created = await findOrganization(tx, orgId);
  await audit(tx, context, "organization.created", {
    subject: { kind: "organization", id: orgId },
    orgId,
    after: created,
  });
  await insertMembership(tx, context, { orgId, userId: account.id, roles: ["owner"] });
  const session = await openSession(tx, context, { account, orgId, amr: ["pwd"], client });
  return { user: await findUser(tx, account.id), organization: created.value, session };
}

/** Asked before a file is removed: a commit whose answer was lost looks like a failure and is none. */
async function belongsToNobody({ control }: Context, orgId: OrgId): Promise<boolean> {
  const rows = await control.read((reader) =>
    reader.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, orgId)),
  );
  return rows.length === 0;
}
