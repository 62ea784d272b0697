import type { PersonId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { requireActsAs } from "../../people/identity.queries.ts";
import { refreshEntry } from "../entries/refresh-entry.ts";
import type { EntryRef } from "../entry-types.ts";
import { profileEntity, requireOwnPerson, requireProfile } from "./profiles.queries.ts";
import type { Profile } from "./profiles.shapes.ts";

/**
 * Gives or withdraws the consent of an instructor to their own entry.
 *
 * @throws NOT_FOUND the actor is another, or it has no profile; FORBIDDEN the actor linked themself, and would give it
 */
export const setConsent =
  (isGiven: boolean) =>
  async (context: InOrganization, { personId }: { personId: PersonId }): Promise<JsonOf<Profile>> => {
    const { actor, tenant } = context;
    const ref: EntryRef = { type: "instructors", id: personId };
    return tenant.write(async (tx) => {
      await requireOwnPerson(tx, ref, actor);
      if (isGiven) await requireActsAs(tx, actor, personId);
      const { id } = await requireProfile(tx, ref);
      return changeRow(tx, context, profileEntity, {
        id,
        action: `directory_profile.${isGiven ? "consented" : "consent_withdrawn"}`,
        set: {
          consented_by: isGiven ? actor.userId : null,
          consented_at: isGiven ? tx.now : null,
          updated_at: tx.now,
        },
        also: () => refreshEntry(tx, ref),
      });
    });
  };
