import { isDeepStrictEqual } from "node:util";
import { authorize } from "../../../core/actor.ts";
import { type Issue, throwIfAny } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow, changeRow } from "../../../storage/entity.ts";
import { refreshEntry } from "../entries/refresh-entry.ts";
import { columnsOf, type EntryRef } from "../entry-types.ts";
import { type ProfileRow, profileRow } from "./profile-row.queries.ts";
import { profileEntity, requireSubject } from "./profiles.queries.ts";
import type { Coordinates, ProfileChange } from "./profiles.schemas.ts";
import type { Profile } from "./profiles.shapes.ts";

const empty = {
  published: false,
  fields: [],
  headline: null,
  description: null,
  website: null,
  email: null,
  phone: null,
  languages: [],
  place: null,
  country: null,
  latitude: null,
  longitude: null,
  consented_by: null,
  consented_at: null,
} satisfies Partial<ProfileRow>;

/**
 * Changes what the directory shows of a school, an instructor or an aircraft. The first change makes the profile, which is not
 * published unless the change says so. A further field, or another text in a field, needs the instructor's consent anew.
 *
 * @throws FORBIDDEN; NOT_FOUND; VALIDATION_ERROR it would have one coordinate
 */
export async function changeProfile(
  context: InOrganization,
  { ref, change }: { ref: EntryRef; change: ProfileChange },
): Promise<JsonOf<Profile>> {
  const { actor, tenant, clock } = context;
  authorize(actor, "directory:manage");
  return tenant.write(async (tx) => {
    await requireSubject(tx, ref);
    const row = await profileRow(tx, ref);
    const before: Content = row ?? empty;
    throwIfAny(coordinateIssues({ ...before, ...change }));
    const asksAnew = actor.userId !== before.consented_by && showsMore(before, { ...before, ...change });
    const set = { ...change, ...(asksAnew && { consented_by: null, consented_at: null }), updated_at: tx.now };
    const also = () => refreshEntry(tx, ref);
    if (row !== undefined)
      return changeRow(tx, context, profileEntity, { id: row.id, action: "directory_profile.updated", set, also });
    const id = newId<"directory_profile">(clock);
    const added = { ...empty, id, type: ref.type, subject_id: ref.id, created_at: tx.now, ...set };
    return addRow(tx, context, profileEntity, { action: "directory_profile.created", row: added, also });
  });
}

type Content = Pick<ProfileRow, keyof typeof empty>;

/** Whether a further field is chosen, or a chosen one has another text. A text that is cleared is not more. */
function showsMore(before: Content, after: Content): boolean {
  const isNew = (column: string) => {
    const [was, is] = [before, after].map((content) => content[column as keyof Content]);
    return is !== null && !isDeepStrictEqual(is, []) && !isDeepStrictEqual(is, was);
  };
  return after.fields.some((field) => !before.fields.includes(field) || columnsOf(field).some(isNew));
}

const coordinateIssues = ({ latitude, longitude }: Coordinates): Issue[] =>
  (latitude === null) === (longitude === null)
    ? []
    : [
        {
          path: latitude === null ? "latitude" : "longitude",
          code: "required",
          message: "Give both coordinates, or none.",
        },
      ];
