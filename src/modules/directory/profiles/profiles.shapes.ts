import { sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { field, type Resource, shape } from "../../../storage/shape.ts";
import { entryTypes } from "../entry-types.ts";
import { directoryProfiles as table } from "../profiles.tables.ts";
import { consent } from "./profile-row.queries.ts";
import { profileFields, published } from "./profiles.schemas.ts";

export const profile = shape("DirectoryProfile", {
  ...columns(table, {
    id: idOf<"directory_profile">(),
    type: z.enum(entryTypes).meta({ examples: ["schools"] }),
    subject_id: idOf().meta({ description: "The organization, the person or the aircraft." }),
    published,
    fields: z.array(z.string()).meta({
      description: "The fields that are published, besides the name.",
      examples: [["headline", "place"]],
    }),
    ...profileFields,
  }),
  consent: field(
    z.enum(["not_needed", "given", "missing"]).meta({
      description:
        "Whether the instructor has consented to the present fields and their texts. While it is `missing`, the entry is not in the directory. Not needed if the person never had an account.",
      examples: ["not_needed"],
    }),
    sql`case when ${table.type} <> 'instructors' then 'not_needed' else ${consent} end`,
  ),
  ...columns(table, {
    consented_at: instantOut.nullable().meta({ description: "When the instructor consented.", examples: [null] }),
    ...stampsOut,
  }),
});

export type Profile = Resource<typeof profile>;
