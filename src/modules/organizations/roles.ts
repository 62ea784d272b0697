import { type Permission, permissions } from "../../core/permissions.ts";

export const roles = ["owner", "admin", "instructor", "mechanic", "accountant", "student"] as const;

/** What an account may do in an organization. What a person is in aviation is the person's `types`. */
export type Role = (typeof roles)[number];

/** The one table that maps a role to what it permits; routes and verbs name permissions, never roles. */
const permitted: Record<Role, readonly Permission[]> = {
  owner: permissions,
  admin: permissions,
  instructor: [
    "organization:read",
    "members:read",
    "people:read",
    "aircraft:read",
    "flights:read",
    "flights:submit",
    "flights:submit_any",
    "flights:approve",
  ],
  mechanic: ["organization:read", "people:read_own", "aircraft:read", "aircraft:manage", "flights:read"],
  accountant: ["organization:read", "members:read", "people:read", "aircraft:read", "flights:read"],
  student: ["organization:read", "people:read_own", "aircraft:read", "flights:read_own", "flights:submit"],
};

/** By roles: every request of a member asks, and there are few combinations. */
const permissionSets = new Map<string, ReadonlySet<Permission>>();

/** Everything that a member with these roles may do. */
export function permissionsOf(held: readonly Role[]): ReadonlySet<Permission> {
  const name = held.join();
  const known = permissionSets.get(name);
  if (known !== undefined) return known;
  const set = new Set(held.flatMap((role) => permitted[role]));
  permissionSets.set(name, set);
  return set;
}

/** The roles that permit something. */
export const rolesThatMay = (permission: Permission): readonly Role[] =>
  roles.filter((role) => permitted[role].includes(permission));

/** The same roles once each, in the table's order: equal sets are then equal lists. */
export const inOrder = (held: readonly Role[]): Role[] => roles.filter((role) => held.includes(role));
