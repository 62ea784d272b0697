import { type Instant, toInstant } from "../../../core/clock.ts";
import type { UserId } from "../../../core/ids.ts";
import { intend } from "../../../storage/intents.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import type { TenantStore } from "../../../storage/tenant-store.ts";
import { postVerification } from "../../accounts/email/send-verification.ts";
import { openSession } from "../../accounts/sessions/sessions.ts";
import { insertUser } from "../../accounts/users.ts";
import type { Linkable } from "../../people/link-account.ts";
import { addRoles } from "../add-roles.ts";
import { findOrganization } from "../organizations.queries.ts";
import type { Settle } from "../settle.ts";
import { type Claim, type Claimant, type Claimed, closeInvite, requireInvited, requirePassword } from "./claims.ts";
import { requireUnlinked } from "./invite-student.ts";
import { requireOpenStudentInvite, type StudentInvite } from "./invites.ts";
import { studentClaimed } from "./student-claimed.ts";
import { requirePerson, requireWellFormed } from "./student-invite-token.ts";

type StudentClaimant = Claimant & { tenants: TenantStore; settle: Settle };

export type StudentClaim = Claimed & { person: Pick<Linkable, "id" | "name"> };

/**
 * Makes somebody a member by their student invite, once, and the person that the invite names: with a new account, or
 * with the one they are signed in to, if it is the invited address's. Roles they hold already stay. The claim stands
 * once the control database has it, and the organization's records follow: there, what was changed in between wins.
 *
 * @throws BAD_REQUEST      the token is malformed
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenInvite`
 * @throws CONFLICT         the address has an account and nobody is signed in, or somebody else is; the person has
 *   another account, or the account is another person here; or the token is being used
 * @throws GONE             the person was removed since
 * @throws VALIDATION_ERROR a new account needs a password, and not the address
 */
export async function claimStudentInvite(context: StudentClaimant, input: Claim): Promise<StudentClaim> {
  requireWellFormed(input.token);
  return context.oneAtATime(`invite ${input.token}`, () => claim(context, input));
}

async function claim(context: StudentClaimant, input: Claim): Promise<StudentClaim> {
  const { actor, control, clock, passwords, tenants } = context;
  // Looked at first: the records can't be asked inside the transaction, and only a claim that can succeed costs a hash.
  const seen = await control.read((reader) => requireClaimable(reader, context, input, toInstant(clock.now())));
  const tenant = tenants.tenant(seen.org_id);
  const { id, name } = await requirePerson(tenant, seen);
  await requireUnlinked(tenant, id, actor.kind === "user" ? actor.userId : undefined);
  const passwordHash = actor.kind === "user" ? null : await passwords.hash(requirePassword(input, seen));

  const claimed = await control.write(async (tx) => {
    const invite = await requireClaimable(tx, context, input, tx.now);
    if (actor.kind === "user") return join(tx, context, invite, actor.userId);
    const { email, org_id: orgId } = invite;
    const account = await insertUser(tx, context, { email, name: input.name ?? name, passwordHash });
    await postVerification(tx, context, context, account);
    const joined = await join(tx, context, invite, account.id);
    const session = await openSession(tx, context, { account, orgId, amr: ["pwd"], client: input.client });
    return { ...joined, session };
  });
  await context.settle(seen.org_id);
  return { ...claimed, person: { id, name } };
}

/** The invite, if the caller may claim it. */
async function requireClaimable(
  reader: Reader<"control">,
  context: Claimant,
  { token }: Claim,
  now: Instant,
): Promise<StudentInvite> {
  const invite = await requireOpenStudentInvite(reader, token, now);
  await requireInvited(reader, context, invite);
  return invite;
}

async function join(
  tx: Tx<"control">,
  context: StudentClaimant,
  invite: StudentInvite,
  userId: UserId,
): Promise<Claimed> {
  const { org_id: orgId, personId, roles } = invite;
  await closeInvite(tx, context, invite, userId);
  const held = await addRoles(tx, context, { orgId, userId, roles });
  await intend(tx, context.clock, studentClaimed, orgId, { personId, userId, requestId: context.requestId });
  return { organization: (await findOrganization(tx, orgId)).value, roles: held, session: undefined };
}
