import type { z } from "zod";
import { authorize } from "../../../core/actor.ts";
import { newToken } from "../../../core/crypto.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { PersonId, UserId } from "../../../core/ids.ts";
import type { Control, Tenant } from "../../../storage/store.ts";
import { findAccount } from "../../accounts/users.ts";
import { findLinkable, type Linkable, type Obstacle, obstacleTo } from "../../people/link-account.ts";
import { requireMayAssign, rolesOfActor } from "../owners.ts";
import type { Role } from "../roles.ts";
import { insertInvite } from "./insert-invite.ts";
import { readStudentInvite } from "./invites.queries.ts";
import type { createdStudentInvite } from "./invites.shapes.ts";
import type { InviteDesk } from "./mail-invite.ts";

/** A student invite the one time that its token is shown. */
export type CreatedStudentInvite = z.infer<typeof createdStudentInvite>;

const roles: readonly Role[] = ["student"];

/**
 * Invites a student whose person is in the records: whoever claims the invite is that person from then on. An open
 * invite of the same person is withdrawn. Somebody who is a member already may be invited: they get the role as well.
 *
 * @throws FORBIDDEN        the actor does not manage members
 * @throws VALIDATION_ERROR there is no such person, or no address to invite them at
 * @throws CONFLICT         the person is no student, or has an account; or the address's account is another person here
 */
export async function inviteStudent(
  context: InviteDesk,
  { personId, email: given }: { personId: PersonId; email?: string | undefined },
): Promise<CreatedStudentInvite> {
  const { actor, control, tenant } = context;
  authorize(actor, "members:manage");
  const { orgId } = actor;
  const person = await tenant.read((reader) => findLinkable(reader, personId));
  if (!person) throw invalid({ path: "person_id", code: "unknown", message: "There is no such person here." });
  const email = given ?? person.email;
  if (email === null) {
    const message = "The person has no e-mail address: name the one to invite them at.";
    throw invalid({ path: "email", code: "missing", message });
  }
  await requireInvitable({ control, tenant }, person, email);

  const token = newToken();
  return control.write(async (tx) => {
    requireMayAssign(await rolesOfActor(tx, context), roles);
    const { id, mailed } = await insertInvite(tx, context, { org_id: orgId, email, person_id: personId, roles, token });
    return { ...(await readStudentInvite(tx, id, tx.now)), token, mailed };
  });
}

/** @throws CONFLICT an invite of this person to this address could not be claimed */
export async function requireInvitable(
  { control, tenant }: { control: Control; tenant: Tenant },
  person: Linkable,
  email: string,
): Promise<void> {
  if (!person.types.includes("student")) throw conflict("person_not_student", "The person is not a student.");
  const account = await control.read((reader) => findAccount(reader, email));
  await requireUnlinked(tenant, person.id, account?.id);
}

/** @throws CONFLICT the person has another account, or the account, if there is one yet, is another person */
export async function requireUnlinked(tenant: Tenant, personId: PersonId, userId: UserId | undefined): Promise<void> {
  const obstacle = await requireFree(tenant, personId, userId);
  if (obstacle === "account_linked")
    throw conflict("account_linked", "This e-mail address is already linked to another person.");
}

/** As `requireUnlinked`, of the person alone. @returns what else is in the way @throws CONFLICT it has another account */
export async function requireFree(
  tenant: Tenant,
  personId: PersonId,
  userId: UserId | undefined,
): Promise<Obstacle | undefined> {
  const obstacle = await tenant.read((reader) => obstacleTo(reader, { personId, userId }));
  if (obstacle === "person_linked") throw conflict("person_linked", "The person is already linked to an account.");
  return obstacle;
}
