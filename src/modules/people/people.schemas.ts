/** The fields of a person and the input of the routes. The verbs check `user_id` and `supervisor_id`, which need the database. */
import { z } from "zod";
import { dateField, email, idOf, text } from "../../http/fields.ts";
import { paging, updatedSince } from "../../http/query.ts";
import { changeOf, newOf } from "../../storage/columns.ts";
import { personTypes } from "./people.tables.ts";

const distinct = (values: readonly string[]) => new Set(values).size === values.length;

/** The fields that the public API shows. */
export const publicFields = {
  name: text(120).meta({ examples: ["Anna Berg"] }),
  types: z
    .array(z.enum(personTypes))
    .min(1)
    .refine(distinct, "Name each type once.")
    .meta({
      description: "The person's functions in aviation. The roles of the membership decide what the account may do.",
      examples: [["instructor", "pilot"]],
    }),
  ratings: z
    .array(text(40))
    .max(50)
    .refine(distinct, "Name each rating once.")
    .meta({ description: "Ratings and certificates by their usual abbreviations.", examples: [["SEP", "FI"]] }),
  restricted_instructor: z.boolean().meta({
    description: "A flight instructor with restricted privileges (FCL.910.FI), who needs a supervisor.",
    examples: [false],
  }),
};

/** The fields that only the school sees. */
export const privateFields = {
  email: email.nullable().meta({ examples: ["anna.berg@example.com"] }),
  date_of_birth: dateField.nullable().meta({ examples: ["1994-03-21"] }),
  licence_number: text(40)
    .nullable()
    .meta({ examples: ["DE.FCL.4711"] }),
  user_id: idOf<"user">().nullable().meta({ description: "The account of this person: a member of the organization." }),
  supervisor_id: idOf<"person">()
    .nullable()
    .meta({ description: "The unrestricted instructor who supervises this restricted instructor." }),
};

export const NewPerson = newOf("NewPerson", {
  ...publicFields,
  ratings: publicFields.ratings.default([]),
  restricted_instructor: publicFields.restricted_instructor.default(false),
  ...privateFields,
});
export type NewPerson = z.infer<typeof NewPerson>;

export const PersonChange = changeOf("PersonChange", { ...publicFields, ...privateFields });
export type PersonChange = z.infer<typeof PersonChange>;

export const PersonListQuery = z.strictObject({ ...paging, type: z.enum(personTypes).optional() });

/** Filters of the public list of pilots. `pilot` includes students. */
export const publicPilotTypes = ["pilot", "instructor", "all"] as const;
export type PublicPilotType = (typeof publicPilotTypes)[number];

export const PublicPilotListQuery = z.strictObject({
  ...paging,
  ...updatedSince,
  type: z
    .enum(publicPilotTypes)
    .default("all")
    .meta({
      description: "`pilot`: students and pilots; `instructor`: instructors; `all`: students, pilots and instructors.",
      examples: ["all"],
    }),
});
