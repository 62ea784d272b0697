/** Who belongs to which organization, by which roles. */
import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { MemberActor, UserActor } from "../../core/actor.ts";
import type { OrgId, UserId } from "../../core/ids.ts";
import type { Permission } from "../../core/permissions.ts";
import { lookUp } from "../../storage/look-up.ts";
import type { Control, Reader } from "../../storage/store.ts";
import { users } from "../accounts/accounts.tables.ts";
import { memberships, organizations } from "./organizations.tables.ts";
import { permissionsOf, type Role, rolesThatMay } from "./roles.ts";

type ControlReader = Reader<"control">;

export const isMembership = (orgId: OrgId, userId: UserId) =>
  and(eq(memberships.org_id, orgId), eq(memberships.user_id, userId));

/** Somebody's roles in an organization; `undefined` for those who are no member. */
export async function rolesOf(
  reader: ControlReader,
  orgId: OrgId,
  userId: UserId,
): Promise<readonly Role[] | undefined> {
  const row = await heldRoles(reader, { orgId, userId });
  return row?.roles;
}

const heldRoles = lookUp(
  { roles: memberships.roles },
  sql`from ${memberships}
    where ${memberships.org_id} = ${sql.placeholder("orgId")} and ${memberships.user_id} = ${sql.placeholder("userId")}`,
);

/** Turns somebody signed in into a member of an organization, with what they may do there; `undefined` for strangers. */
export const membership =
  (control: Control) =>
  async (user: UserActor, orgId: OrgId): Promise<MemberActor | undefined> => {
    const roles = await control.read((reader) => rolesOf(reader, orgId, user.userId));
    return roles && { ...user, orgId, permissions: permissionsOf(roles) };
  };

/** Stands for an organization where somebody wants none, whatever they belong to: the nil UUID (RFC 9562, 5.9). */
export const noOrganization = "00000000-0000-0000-0000-000000000000" as OrgId;

/** The organization somebody acts in where none is named: `wanted`, if they belong to it, or the one joined first. */
export async function organizationOf(
  reader: ControlReader,
  userId: UserId,
  wanted: OrgId | null,
): Promise<OrgId | null> {
  if (wanted === noOrganization) return null;
  const [row] = await reader
    .select({ org_id: memberships.org_id })
    .from(memberships)
    .where(eq(memberships.user_id, userId))
    .orderBy(desc(sql`${memberships.org_id} = ${wanted}`), asc(memberships.created_at), asc(memberships.org_id))
    .limit(1);
  return row?.org_id ?? null;
}

/** Where somebody belongs, and in which roles; the organization joined first first. */
export const membershipsOf = (reader: ControlReader, userId: UserId) =>
  reader
    .select({ id: organizations.id, name: organizations.name, roles: memberships.roles })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.org_id))
    .where(eq(memberships.user_id, userId))
    .orderBy(asc(memberships.created_at), asc(memberships.org_id));

/** A member as those judge who must know whether somebody else could. */
export interface Approver {
  user_id: UserId;
  email: string;
}

/** Everybody in an organization who may do something, accounts that are disabled left out. */
export async function membersWho(reader: ControlReader, orgId: OrgId, permission: Permission): Promise<Approver[]> {
  return reader
    .select({ user_id: memberships.user_id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(and(eq(memberships.org_id, orgId), isNull(users.disabled_at), holdsOneOf(rolesThatMay(permission))))
    .orderBy(asc(memberships.user_id));
}

/** Whether a membership has at least one of the roles. */
export const holdsOneOf = (roles: readonly Role[]) =>
  sql`exists (select 1 from json_each(${memberships.roles}) where value in ${roles})`;
