import { z } from "zod";
import { integer } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { changeOf } from "../../../storage/columns.ts";
import { entryStatuses } from "../entries.tables.ts";

export const moderationFields = {
  status: z.enum(entryStatuses).meta({
    description: "Only `published` entries are public. It stays when the organization publishes the entry again.",
    examples: ["suspended"],
  }),
  featured: z.boolean().meta({ description: "Before all entries that are not.", examples: [true] }),
  sort_priority: integer(-1000, 1000).meta({
    description: "Among those that are featured, or are not: the greatest first.",
    examples: [10],
  }),
};

export const Moderation = changeOf("DirectoryModeration", moderationFields);
export type Moderation = z.infer<typeof Moderation>;

export const ModerationQuery = z.strictObject({ ...paging, status: moderationFields.status.default("published") });
