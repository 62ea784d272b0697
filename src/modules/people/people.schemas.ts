/** The fields of a person, and what the routes of people take. What only the database knows (`user_id`, `supervisor_id`) is the verbs' to check. */
import { z } from "zod";
import { dateField, email, idOf, text } from "../../http/fields.ts";
import { paging } from "../../http/query.ts";
import { byDefault, optionalInputs } from "../../storage/columns.ts";
import { personTypes } from "./people.tables.ts";

const distinct = (values: readonly string[]) => new Set(values).size === values.length;

/** What integrators see of a person. */
export const publicFields = {
  name: text(120).meta({ examples: ["Anna Berg"] }),
  types: z
    .array(z.enum(personTypes))
    .min(1)
    .refine(distinct, "Name each type once.")
    .meta({
      description: "What the person is in aviation; what an account may do is its roles.",
      examples: [["instructor", "pilot"]],
    }),
  ratings: z
    .array(text(40))
    .max(50)
    .refine(distinct, "Name each rating once.")
    .meta({ description: "Ratings and certificates by their usual short names.", examples: [["SEP", "FI"]] }),
  restricted_instructor: z.boolean().meta({
    description: "A flight instructor with restricted privileges (FCL.910.FI), who needs a supervisor.",
    examples: [false],
  }),
};

/** What only the school itself sees. */
export const privateFields = {
  email: email.nullable().meta({ examples: ["anna.berg@example.com"] }),
  date_of_birth: dateField.nullable().meta({ examples: ["1994-03-21"] }),
  licence_number: text(40)
    .nullable()
    .meta({ examples: ["DE.FCL.4711"] }),
  user_id: idOf<"user">().nullable().meta({ description: "The account of this person: a member here." }),
  supervisor_id: idOf<"person">()
    .nullable()
    .meta({ description: "The unrestricted instructor who supervises this restricted one." }),
};

export const NewPerson = z
  .strictObject({
    ...publicFields,
    ratings: publicFields.ratings.default([]),
    restricted_instructor: publicFields.restricted_instructor.default(false),
    ...byDefault(null, privateFields),
  })
  .meta({ id: "NewPerson" });
export type NewPerson = z.infer<typeof NewPerson>;

export const PersonChange = z
  .strictObject(optionalInputs({ ...publicFields, ...privateFields }))
  .refine((change) => Object.keys(change).length > 0, "Nothing to change.")
  .meta({ id: "PersonChange", description: "Only what is given changes; null empties." });
export type PersonChange = z.infer<typeof PersonChange>;

export const PersonRef = z.object({ orgId: idOf<"organization">(), personId: idOf<"person">() });

export const PersonListQuery = z.object({ ...paging, type: z.enum(personTypes).optional() });

/** Whom the public API calls a pilot: students and pilots; instructors; or, by default, all three. */
export const publicPilotTypes = ["pilot", "instructor", "all"] as const;
export type PublicPilotType = (typeof publicPilotTypes)[number];

export const PublicPilotListQuery = z.object({
  ...paging,
  type: z
    .enum(publicPilotTypes)
    .default("all")
    .meta({
      description: "`pilot`: students and pilots; `instructor`: instructors; `all`: any of the three.",
      examples: ["all"],
    }),
});
