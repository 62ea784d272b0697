/** Everything somebody can be permitted to do in an organization. `modules/organizations/roles.ts` says which role may. */
export const permissions = [
  "organization:read",
  "organization:manage",
  "members:read",
  "members:manage",
  "people:read",
  "people:read_own",
  "people:manage",
  "aircraft:read",
  "aircraft:manage",
  "flights:read",
  "flights:read_own",
  "flights:submit",
  "flights:submit_any",
  "flights:approve",
  "flights:reverse",
  "integrations:manage",
  "audit:read",
] as const;

export type Permission = (typeof permissions)[number];

/** What a platform admin can be permitted to do for the whole installation. */
export const platformPermissions = [
  "platform_admin.listing:review",
  "platform_admin.directory:moderate",
  "platform_admin.debug:read",
] as const;

export type PlatformPermission = (typeof platformPermissions)[number];
