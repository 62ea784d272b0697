/** What the account may do in the school that is shown, and in the whole installation. */
import type { Permission, PlatformPermission } from "../../core/permissions.ts";
import { me, organization } from "./session.ts";

/** Returns whether one of the permissions is held. */
export const may = (...wanted: readonly Permission[]): boolean =>
  wanted.some((permission) => organization.value?.permissions.includes(permission));

/** Returns whether a permission for the installation is held. */
export const operates = (wanted: PlatformPermission): boolean =>
  me.value?.platform_permissions.includes(wanted) === true;
