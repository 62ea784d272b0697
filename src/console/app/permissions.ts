/** What the account may do in the school that is shown. */
import type { Permission } from "../../core/permissions.ts";
import { organization } from "./session.ts";

/** Returns whether one of the permissions is held. */
export const may = (...wanted: readonly Permission[]): boolean =>
  wanted.some((permission) => organization.value?.permissions.includes(permission));
