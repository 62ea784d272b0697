/** The permissions of members in an organization. `modules/organizations/roles.ts` assigns them to roles. */
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
  "maintenance:read",
  "maintenance:manage",
  "defects:report",
  "flights:read",
  "flights:read_own",
  "flights:submit",
  "flights:submit_any",
  "flights:approve",
  "flights:acknowledge",
  "flights:reverse",
  "flights:import",
  "compliance:read",
  "compliance:read_aircraft",
  "compliance:read_own",
  "compliance:manage",
  "compliance:manage_aircraft",
  "clearance:manage",
  "planning:read",
  "planning:read_own",
  "planning:book",
  "planning:manage",
  "planning:configure",
  "reports:read",
  "medicals:read",
  "training:read",
  "training:read_own",
  "training:record",
  "training:manage",
  "evidence:manage",
  "evidence:own",
  "sharing:manage",
  "integrations:manage",
  "marketplace:manage",
  "addons:manage",
  "audit:read",
] as const;

export type Permission = (typeof permissions)[number];

/** The permissions of platform admins for the whole installation. */
export const platformPermissions = [
  "platform_admin.listing:review",
  "platform_admin.directory:moderate",
  "platform_admin.debug:read",
] as const;

export type PlatformPermission = (typeof platformPermissions)[number];
