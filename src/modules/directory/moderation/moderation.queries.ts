import { notFound } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { platformPermissionsOf } from "../../accounts/operator/platform-permissions.queries.ts";

/** @throws NOT_FOUND the account does not moderate: it does not learn which entries there are */
export async function requireModerator(reader: Reader<"control">, userId: UserId): Promise<void> {
  if (!(await platformPermissionsOf(reader, userId)).has("platform_admin.directory:moderate")) throw notFound();
}
