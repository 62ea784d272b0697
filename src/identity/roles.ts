import { type Permission, permissions } from "../core/permissions.ts";

export const roles = ["owner", "admin", "instructor", "mechanic", "accountant", "student"] as const;

/** A set of permissions of an account in an organization. A person's function in aviation is in its `types`. */
export type Role = (typeof roles)[number];

/** The permissions of each role. Routes and verbs check permissions, never roles. */
const permitted: Record<Role, readonly Permission[]> = {
  owner: permissions,
  // Whoever takes the whole school along answers for it.
  admin: permissions.filter((permission) => permission !== "organization:export"),
  instructor: [
    "organization:read",
    "members:read",
    "people:read",
    "aircraft:read",
    "maintenance:read",
    "defects:report",
    "flights:read",
    "flights:submit",
    "flights:submit_any",
    "flights:approve",
    "compliance:read",
    "medicals:read",
    "planning:read",
    "planning:book",
    "planning:manage",
    "training:read",
    "training:record",
    "evidence:own",
    "finance:own",
  ],
  mechanic: [
    "organization:read",
    "people:read_own",
    "aircraft:read",
    "aircraft:manage",
    "maintenance:read",
    "maintenance:manage",
    "defects:report",
    "flights:read",
    "compliance:read_aircraft",
    "compliance:read_own",
    "compliance:manage_aircraft",
    "planning:read",
    "planning:manage",
    "evidence:own",
    "finance:own",
  ],
  accountant: [
    "organization:read",
    "members:read",
    "people:read",
    "aircraft:read",
    "flights:read",
    "planning:read",
    "reports:read",
    "finance:read",
    "finance:manage",
  ],
  student: [
    "organization:read",
    "people:read_own",
    "aircraft:read",
    "defects:report",
    "flights:read_own",
    "flights:submit",
    "compliance:read_own",
    "planning:read_own",
    "planning:book",
    "training:read_own",
    "evidence:own",
    "finance:own",
  ],
};

/** Cached by roles: each request of a member needs one, and there are few combinations. */
const permissionSets = new Map<string, ReadonlySet<Permission>>();

/** Returns the permissions of a member with these roles. */
export function permissionsOf(held: readonly Role[]): ReadonlySet<Permission> {
  const name = held.join();
  const known = permissionSets.get(name);
  if (known !== undefined) return known;
  const set = new Set(held.flatMap((role) => permitted[role]));
  permissionSets.set(name, set);
  return set;
}

/** Returns the roles that include a permission. */
export const rolesThatMay = (permission: Permission): readonly Role[] =>
  roles.filter((role) => permitted[role].includes(permission));

/** Returns each role once, in the order of `roles`, so that equal sets are equal lists. */
export const inOrder = (held: readonly Role[]): Role[] => roles.filter((role) => held.includes(role));
