import { eq } from "drizzle-orm";
import { toInstant } from "../../../core/clock.ts";
import type { Context } from "../../../storage/context.ts";
import { resource } from "../../../storage/shape.ts";
import type { TenantStore } from "../../../storage/tenant-store.ts";
import { findAccount } from "../../accounts/users.ts";
import { invites } from "../organizations.tables.ts";
import { requireFree } from "./invite-student.ts";
import { type PublicStudentInvite, publicInvite, publicInviteSource } from "./invites.shapes.ts";
import { requireOpenStudentInvite } from "./invites.ts";
import { requirePerson, requireWellFormed } from "./student-invite-token.ts";

/**
 * What whoever holds the token may see of a student invite, as long as the person can be claimed. Whether the address
 * has an account, and who that is here, is not for them to know: those who are signed in to it learn that by the claim.
 *
 * @throws BAD_REQUEST the token is malformed
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenInvite`
 * @throws CONFLICT the person has another account by now
 * @throws GONE     the person was removed since
 */
export async function findStudentInvite(
  { control, clock, tenants }: Context & { tenants: TenantStore },
  { token }: { token: string },
): Promise<PublicStudentInvite> {
  requireWellFormed(token);
  const { invite, account, seen } = await control.read(async (reader) => {
    const invite = await requireOpenStudentInvite(reader, token, toInstant(clock.now()));
    const seen = await resource(reader, publicInvite, { from: publicInviteSource, where: eq(invites.id, invite.id) });
    return { invite, account: await findAccount(reader, invite.email), seen };
  });
  const tenant = tenants.tenant(invite.org_id);
  const { id, name } = await requirePerson(tenant, invite);
  await requireFree(tenant, id, account?.id);
  return { ...seen, person: { id, name } };
}
