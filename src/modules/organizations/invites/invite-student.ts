import type { z } from "zod";
import { authorize } from "../../../core/actor.ts";
import { newToken } from "../../../core/crypto.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { PersonId, UserId } from "../../../core/ids.ts";
import type { Role } from "../../../identity/roles.ts";
import type { Control, Tenant } from "../../../storage/store.ts";
import { findAccount } from "../../accounts/users.ts";
import { findLinkable, type Linkable, type Obstacle, obstacleTo, refuseOwnAffairs } from "../../people/link-account.ts";
import { requireMayAssign, rolesOfActor } from "../owners.ts";
import { insertInvite } from "./insert-invite.ts";
import { readStudentInvite } from "./invites.queries.ts";
import type { createdStudentInvite } from "./invites.shapes.ts";
import type { InviterContext } from "./mail-invite.ts";

/** A new student invite with its token. */
export type CreatedStudentInvite = z.infer<typeof createdStudentInvite>;

const roles: readonly Role[] = ["student"];

/**
 * Invites a student to claim a person: the account that claims the invite is linked to that person. Open invites for the
 * same person are revoked. The address may belong to a member, who then gets the role in addition.
 *
 * @throws FORBIDDEN        the actor does not manage members
 * @throws VALIDATION_ERROR there is no such person, or no e-mail address
 * @throws CONFLICT         the person is not a student or has an account, or the address's account is linked to another person
 */
export async function inviteStudent(
  context: InviterContext,
  { personId, email: given }: { personId: PersonId; email?: string | undefined },
): Promise<CreatedStudentInvite> {
  const { actor, control, tenant } = context;
  authorize(actor, "members:manage");
  const { orgId } = actor;
  const person = await tenant.read((reader) => findLinkable(reader, personId));
  if (!person) throw invalid({ path: "person_id", code: "unknown", message: "There is no such person here." });
  const email = given ?? person.email;
  if (email === null) {
    const message = "The person has no e-mail address. Name one in the request.";
    throw invalid({ path: "email", code: "required", message });
  }
  await requireInvitable({ control, tenant }, person, email);

  const token = newToken();
  return control.write(async (tx) => {
    requireMayAssign(await rolesOfActor(tx, context), roles);
    const { id, mailed } = await insertInvite(tx, context, { org_id: orgId, email, person_id: personId, roles, token });
    return { ...(await readStudentInvite(tx, id, tx.now)), token, mailed };
  });
}

/** @throws CONFLICT an invite for this person to this address could not be claimed */
export async function requireInvitable(
  { control, tenant }: { control: Control; tenant: Tenant },
  person: Linkable,
  email: string,
): Promise<void> {
  if (!person.types.includes("student")) throw conflict("person_not_student", "The person is not a student.");
  const account = await control.read((reader) => findAccount(reader, email));
  await requireUnlinked(tenant, person.id, account?.id);
}

/**
 * @throws CONFLICT the person is archived or linked to another account, or the account, if it exists, to another person, or it did for
 *   the person what nobody does for themself
 */
export async function requireUnlinked(tenant: Tenant, personId: PersonId, userId: UserId | undefined): Promise<void> {
  const obstacle = await requirePersonUnlinked(tenant, personId, userId);
  if (obstacle === "account_linked")
    throw conflict("account_linked", "This e-mail address is already linked to another person.");
  if (obstacle === "own_affairs" && userId !== undefined)
    await tenant.read((reader) => refuseOwnAffairs(reader, { personId, userId }));
}

/** Checks the person only. @returns another obstacle, if any @throws CONFLICT the person is archived or linked to another account */
export async function requirePersonUnlinked(
  tenant: Tenant,
  personId: PersonId,
  userId: UserId | undefined,
): Promise<Obstacle | undefined> {
  const obstacle = await tenant.read((reader) => obstacleTo(reader, { personId, userId }));
  if (obstacle === "person_archived") throw conflict("person_archived", "The person is archived.");
  if (obstacle === "person_linked") throw conflict("person_linked", "The person is already linked to an account.");
  return obstacle;
}
