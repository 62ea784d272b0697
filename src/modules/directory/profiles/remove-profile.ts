import { authorize } from "../../../core/actor.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { removeRow } from "../../../storage/entity.ts";
import { refreshEntry } from "../entries/refresh-entry.ts";
import type { EntryRef } from "../entry-types.ts";
import { profileEntity, requireProfile } from "./profiles.queries.ts";
import type { Profile } from "./profiles.shapes.ts";

/** Deletes a profile, and its entry in the directory. @returns the profile as it was @throws FORBIDDEN; NOT_FOUND */
export async function removeProfile(context: InOrganization, ref: EntryRef): Promise<JsonOf<Profile>> {
  authorize(context.actor, "directory:manage");
  return context.tenant.write(async (tx) => {
    const { id } = await requireProfile(tx, ref);
    return removeRow(tx, context, profileEntity, {
      id,
      action: "directory_profile.removed",
      also: () => refreshEntry(tx, ref),
    });
  });
}
