/** Queries about memberships and their roles. */
import { and, asc, desc, eq, isNull, ne, sql } from "drizzle-orm";
import type { MemberActor, UserActor } from "../core/actor.ts";
import type { OrgId, UserId } from "../core/ids.ts";
import type { Permission } from "../core/permissions.ts";
import { lookUp, lookUpAll } from "../storage/lookup.ts";
import type { Control, Reader } from "../storage/store.ts";
import { formerMemberships, memberships, organizations, suspensions, users } from "./identity.tables.ts";
import { permissionsOf, type Role, rolesThatMay } from "./roles.ts";

type ControlReader = Reader<"control">;

export const isMembership = (orgId: OrgId, userId: UserId) =>
  and(eq(memberships.org_id, orgId), eq(memberships.user_id, userId));

/** Returns the roles of an account in an organization, or `undefined` if it is not a member. */
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

/** Returns whether an account is a member of an organization, or ever was. */
export const isOrWasMember = async (reader: ControlReader, orgId: OrgId, userId: UserId): Promise<boolean> =>
  (await rolesOf(reader, orgId, userId)) !== undefined ||
  (await reader.$count(
    formerMemberships,
    and(eq(formerMemberships.org_id, orgId), eq(formerMemberships.user_id, userId)),
  )) > 0;

/** Returns whether the account of a member has this name. */
export const hasMemberNamed = async (reader: ControlReader, orgId: OrgId, name: string): Promise<boolean> =>
  (
    await reader
      .select({ id: users.id })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.user_id))
      .where(and(eq(memberships.org_id, orgId), eq(users.name, name)))
      .limit(1)
  ).length > 0;

/** Resolves the caller's membership and its permissions in the organization. Returns `undefined` if the caller is not a member. */
export const membership =
  (control: Control) =>
  async (user: UserActor, orgId: OrgId): Promise<MemberActor | undefined> => {
    const roles = await control.read((reader) => rolesOf(reader, orgId, user.userId));
    return roles && { ...user, orgId, permissions: permissionsOf(roles) };
  };

/** In a request: select no organization, even if the account has memberships. The nil UUID (RFC 9562, 5.9). */
export const noOrganization = "00000000-0000-0000-0000-000000000000" as OrgId;

/** Returns the default organization of an account: `wanted` if it is a member there, otherwise the one it joined first. */
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

/** Lists the account's organizations and its roles in each, in the order it joined them. */
export const membershipsOf = (reader: ControlReader, userId: UserId) =>
  reader
    .select({
      id: organizations.id,
      name: organizations.name,
      time_zone: organizations.time_zone,
      currency: organizations.currency,
      roles: memberships.roles,
      suspended_at: suspensions.suspended_at,
      removal_at: suspensions.removal_at,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.org_id))
    .leftJoin(suspensions, eq(suspensions.org_id, organizations.id))
    .where(eq(memberships.user_id, userId))
    .orderBy(asc(memberships.created_at), asc(memberships.org_id));

/** A member who holds a permission. A rule compares it with the actor: would another member be left to do this? */
export interface Approver {
  user_id: UserId;
  email: string;
}

/** Lists the members of an organization who have a permission, without disabled accounts. */
export async function membersWho(reader: ControlReader, orgId: OrgId, permission: Permission): Promise<Approver[]> {
  return holders(reader, { orgId, roles: JSON.stringify(rolesThatMay(permission)) });
}

const holders = lookUpAll(
  { user_id: memberships.user_id, email: users.email },
  sql`from ${memberships} join ${users} on ${users.id} = ${memberships.user_id}
    where ${memberships.org_id} = ${sql.placeholder("orgId")} and ${users.disabled_at} is null
      and exists (select 1 from json_each(${memberships.roles}) as held
        where held.value in (select value from json_each(${sql.placeholder("roles")})))
    order by ${memberships.user_id}`,
);

/** Matches memberships with at least one of the roles. */
export const holdsOneOf = (roles: readonly Role[]) =>
  sql`exists (select 1 from json_each(${memberships.roles}) where value in ${roles})`;

/** The roles of a member whose account is not disabled; undefined for any other account. */
export async function activeRolesOf(
  reader: ControlReader,
  orgId: OrgId,
  userId: UserId,
): Promise<readonly Role[] | undefined> {
  const [row] = await reader
    .select({ roles: memberships.roles })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(and(isMembership(orgId, userId), isNull(users.disabled_at)));
  return row?.roles;
}

/** Returns whether the organization has an owner whose account is not disabled, this member left out. */
export async function hasActiveOwner(reader: ControlReader, orgId: OrgId, without?: UserId): Promise<boolean> {
  const [owner] = await reader
    .select({ user_id: memberships.user_id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(
      and(
        eq(memberships.org_id, orgId),
        without && ne(memberships.user_id, without),
        isNull(users.disabled_at),
        holdsOneOf(["owner"]),
      ),
    )
    .limit(1);
  return owner !== undefined;
}

/** Lists the names of the organizations that the account owns and that have no owner with an enabled account. */
export async function organizationsLeftWithoutOwner(reader: ControlReader, userId: UserId): Promise<string[]> {
  const owned = await reader
    .select({ org_id: memberships.org_id, name: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.org_id))
    .where(and(eq(memberships.user_id, userId), holdsOneOf(["owner"])))
    .orderBy(asc(organizations.name));
  const ownerless: string[] = [];
  for (const { org_id, name } of owned) if (!(await hasActiveOwner(reader, org_id))) ownerless.push(name);
  return ownerless;
}
