import { z } from "zod";
import { idOf, instantOut } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { changeOf, columns } from "../../../storage/columns.ts";
import { ascending, listOf } from "../../../storage/page.ts";
import { type Resource, shape } from "../../../storage/shape.ts";
import { publisher } from "../../organizations/publisher.shapes.ts";
import { entryStatuses, directoryEntries as table } from "../entries.tables.ts";
import { type } from "../search/search.schemas.ts";

const moderationFields = {
  status: z.enum(entryStatuses).meta({
    description: "Only `published` entries are public. It stays when the organization publishes the entry again.",
    examples: ["suspended"],
  }),
  featured: z.boolean().meta({ description: "Before all entries that are not.", examples: [true] }),
  sort_priority: z
    .int()
    .min(-1000)
    .max(1000)
    .meta({ description: "Among those that are featured, or are not: the greatest first.", examples: [10] }),
};

export const Moderation = changeOf("DirectoryModeration", moderationFields);
export type Moderation = z.infer<typeof Moderation>;

/** An entry as moderators see it: without its fields. */
export const moderatedEntry = shape("ModeratedDirectoryEntry", {
  ...columns(table, { id: idOf(), type }),
  organization: publisher(table.org_id),
  ...columns(table, {
    listed: z.boolean().meta({ description: "Whether its organization publishes it.", examples: [true] }),
    ...moderationFields,
    updated_at: instantOut,
  }),
});
/** Returns JSON text. Filters by `type` and `status`. */
export const listModerated = listOf(moderatedEntry, { from: table, orderBy: ascending(moderatedEntry, "id") });

export const ModerationQuery = z.strictObject({ ...paging, status: moderationFields.status.default("published") });

export type ModeratedEntry = Resource<typeof moderatedEntry>;
