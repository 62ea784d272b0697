import { z } from "zod";
import { idOf, instantOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { type Resource, shape } from "../../../storage/shape.ts";
import { publisher } from "../../organizations/publisher.shapes.ts";
import { directoryEntries as table } from "../entries.tables.ts";
import { type } from "../search/search.schemas.ts";
import { moderationFields } from "./moderation.schemas.ts";

/** An entry as moderators see it: without its fields, whose copy in the audit log would outlive what the organization ends. */
export const moderatedEntry = shape("ModeratedDirectoryEntry", {
  ...columns(table, { id: idOf(), type }),
  organization: publisher(table.org_id),
  ...columns(table, {
    listed: z.boolean().meta({ description: "Whether its organization publishes it.", examples: [true] }),
    ...moderationFields,
    updated_at: instantOut,
  }),
});

export type ModeratedEntry = Resource<typeof moderatedEntry>;
