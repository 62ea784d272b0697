import { eq } from "drizzle-orm";
import { toInstant } from "../../../core/clock.ts";
import type { Context } from "../../../storage/context.ts";
import { resource } from "../../../storage/shape.ts";
import type { TenantStore } from "../../../storage/tenant-store.ts";
import { findAccount } from "../../accounts/users.ts";
import { invites } from "../organizations.tables.ts";
import { requirePersonUnlinked } from "./invite-student.ts";
import { type PublicStudentInvite, publicInvite, publicInviteSource } from "./invites.shapes.ts";
import { requireOpenStudentInvite } from "./invites.ts";
import { requirePerson, requireWellFormed } from "./student-invite-token.ts";

/**
 * Returns what the holder of the token may see of a student invite, if the person can be claimed. The response does not
 * reveal whether the address has an account, or to which person it is linked; only a claim from that account does.
 *
 * @throws BAD_REQUEST the token is malformed
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenInvite`
 * @throws CONFLICT the person is linked to another account
 * @throws GONE     the person was deleted
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
  await requirePersonUnlinked(tenant, id, account?.id);
  return { ...seen, person: { id, name } };
}
