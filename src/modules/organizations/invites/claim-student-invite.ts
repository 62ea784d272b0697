import { toInstant } from "../../../core/clock.ts";
import type { UserId } from "../../../core/ids.ts";
import { writeIntent } from "../../../storage/intents.ts";
import type { Tx } from "../../../storage/store.ts";
import type { TenantStore } from "../../../storage/tenant-store.ts";
import { mailVerification } from "../../accounts/email/send-verification.ts";
import { openSession } from "../../accounts/sessions/sessions.ts";
import { insertUser } from "../../accounts/users.ts";
import type { Linkable } from "../../people/link-account.ts";
import { addRoles } from "../add-roles.ts";
import type { ApplyIntents } from "../organizations.deps.ts";
import { findOrganization } from "../organizations.queries.ts";
import {
  type Claim,
  type Claimant,
  type Claimed,
  closeInvite,
  requireNewAddress,
  requireOwnAddress,
  requirePassword,
} from "./claims.ts";
import { requireUnlinked } from "./invite-student.ts";
import { requireOpenStudentInvite, type StudentInvite } from "./invites.ts";
import { studentClaimed } from "./student-claimed.ts";
import { requirePerson, requireWellFormed } from "./student-invite-token.ts";

type StudentClaimant = Claimant & { tenants: TenantStore; applyIntents: ApplyIntents };

export type StudentClaim = Claimed & { person: Pick<Linkable, "id" | "name"> };

/**
 * Claims a student invite, once: the account becomes a member and is linked to the invited person. A caller who is not
 * signed in gets a new account; a signed-in caller's account must have the invited address, and keeps its other roles.
 * The claim is final when the control database has committed; an intent then links the person in the tenant database,
 * unless the person has changed meanwhile.
 *
 * @throws BAD_REQUEST      the token is malformed
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenInvite`
 * @throws CONFLICT         the address has an account and the caller is not signed in to it; the person is linked to
 *   another account, or the account to another person; or another request is using the token
 * @throws GONE             the person was deleted
 * @throws VALIDATION_ERROR a new account has no password, or the password is the e-mail address
 */
export async function claimStudentInvite(context: StudentClaimant, input: Claim): Promise<StudentClaim> {
  requireWellFormed(input.token);
  return context.oneAtATime(`invite ${input.token}`, () => claim(context, input));
}

async function claim(context: StudentClaimant, input: Claim): Promise<StudentClaim> {
  const { actor, control, clock, passwords, tenants } = context;
  const seen = await control.read((reader) => requireOpenStudentInvite(reader, input.token, toInstant(clock.now())));
  if (actor.kind === "user") requireOwnAddress(actor, seen);
  const password = actor.kind === "user" ? undefined : requirePassword(input, seen);
  // Checked here, since the transaction cannot read the tenant database.
  const tenant = tenants.tenant(seen.org_id);
  const { id, name } = await requirePerson(tenant, seen);
  await requireUnlinked(tenant, id, actor.kind === "user" ? actor.userId : undefined);
  const passwordHash = password === undefined ? null : await passwords.hash(password);

  const claimed = await control.write(async (tx) => {
    const invite = await requireOpenStudentInvite(tx, input.token, tx.now);
    if (actor.kind === "user") {
      requireOwnAddress(actor, invite);
      return join(tx, context, invite, actor.userId);
    }
    await requireNewAddress(tx, invite);
    const { client } = input;
    const { language } = client;
    const chosen = input.name ?? name;
    const account = await insertUser(tx, context, { email: invite.email, name: chosen, language, passwordHash });
    await mailVerification(tx, context, context, account);
    const joined = await join(tx, context, invite, account.id);
    const session = await openSession(tx, context, { account, orgId: invite.org_id, amr: ["pwd"], client });
    return { ...joined, session };
  });
  await context.applyIntents(seen.org_id);
  return { ...claimed, person: { id, name } };
}

async function join(
  tx: Tx<"control">,
  context: StudentClaimant,
  invite: StudentInvite,
  userId: UserId,
): Promise<Claimed> {
  const { org_id, person_id: personId, roles, invited_by: invitedBy } = invite;
  const { clock, requestId } = context;
  await closeInvite(tx, context, invite, userId);
  const held = await addRoles(tx, context, { orgId: org_id, userId, roles });
  await writeIntent(tx, clock, studentClaimed, org_id, { personId, userId, invitedBy, requestId });
  return { organization: (await findOrganization(tx, org_id)).value, roles: held, session: undefined };
}
