/** The fields of a person and the input of the routes. The verbs check `user_id` and `supervisor_id`, which need the database. */
import { z } from "zod";
import { issueCodes } from "../../core/issues.ts";
import { languages } from "../../core/languages.ts";
import { countryCode, dateField, email, idOf, isDistinct, longText, text } from "../../http/fields.ts";
import { paging, searchText, sortedBy, updatedSince } from "../../http/query.ts";
import { changeOf, newOf } from "../../storage/columns.ts";
import { personStatuses, personTypes } from "./people.tables.ts";

/** The fields that the public API shows. */
export const publicFields = {
  name: text(120).meta({ examples: ["Anna Berg"] }),
  types: z
    .array(z.enum(personTypes))
    .min(1)
    .refine(isDistinct, issueCodes.repeated)
    .meta({
      description: "The person's functions in aviation. The roles of the membership decide what the account may do.",
      examples: [["instructor", "pilot"]],
    }),
  ratings: z
    .array(text(40))
    .max(50)
    .refine(isDistinct, issueCodes.repeated)
    .meta({ description: "Ratings and certificates by their usual abbreviations.", examples: [["SEP", "FI"]] }),
  restricted_instructor: z.boolean().meta({
    description: "A flight instructor with restricted privileges (FCL.910.FI), who needs a supervisor.",
    examples: [false],
  }),
};

const phone = text(40).nullable();

/** The fields that only the school sees. */
export const privateFields = {
  email: email.nullable().meta({ examples: ["anna.berg@example.com"] }),
  date_of_birth: dateField.nullable().meta({ examples: ["1994-03-21"] }),
  licence_number: text(40)
    .nullable()
    .meta({ examples: ["DE.FCL.4711"] }),
  licence_authority: text(80)
    .nullable()
    .meta({ description: "The authority that issued the licence.", examples: ["Luftfahrt-Bundesamt"] }),
  phone: phone.meta({ examples: ["+49 171 1234567"] }),
  street: longText(200)
    .nullable()
    .meta({ description: "The postal address, apart from the city.", examples: ["Am Flugplatz 1"] }),
  postcode: text(20)
    .nullable()
    .meta({ examples: ["63329"] }),
  city: text(80)
    .nullable()
    .meta({ examples: ["Egelsbach"] }),
  country: countryCode.nullable(),
  emergency_name: text(120)
    .nullable()
    .meta({ description: "The person to call in an emergency.", examples: ["Jonas Berg"] }),
  emergency_phone: phone.meta({ examples: ["+49 171 7654321"] }),
  emergency_relation: text(80)
    .nullable()
    .meta({ description: "Their relation to the person.", examples: ["Husband"] }),
  language: z
    .enum(languages)
    .nullable()
    .meta({
      description: "Of documents. Null: the account's; in invoices, that of the settings. Mails prefer the account's.",
      examples: ["de"],
    }),
  user_id: idOf<"user">().nullable().meta({ description: "The account of this person: a member of the organization." }),
  supervisor_id: idOf<"person">()
    .nullable()
    .meta({ description: "The unrestricted instructor who supervises this restricted instructor." }),
  receives_mails: z.boolean().meta({
    description: "Whether the person gets mails about their own records that expire.",
    examples: [true],
  }),
};

export const NewPerson = newOf("NewPerson", {
  ...publicFields,
  ratings: publicFields.ratings.default([]),
  restricted_instructor: publicFields.restricted_instructor.default(false),
  ...privateFields,
  receives_mails: privateFields.receives_mails.default(true),
});
export type NewPerson = z.infer<typeof NewPerson>;

export const status = z
  .enum(personStatuses)
  .meta({ description: "`archived` archives the person; `active` undoes that.", examples: ["active"] });

export const PersonChange = changeOf("PersonChange", { ...publicFields, ...privateFields, status });
export type PersonChange = z.infer<typeof PersonChange>;

export const PersonListQuery = z.strictObject({
  ...paging,
  type: z.enum(personTypes).optional(),
  status: z.enum(personStatuses).optional(),
  q: searchText("the name or of the e-mail address", "An").optional(),
  order: sortedBy("name", "-name", "-created_at"),
});

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
