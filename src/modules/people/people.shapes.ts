/** What a person looks like from outside: to the school itself, and to integrators. */
import { z } from "zod";
import { dateField, idOf, instantOut } from "../../http/fields.ts";
import { bool, field, json, type Resource, shape } from "../../storage/shape.ts";
import { people, personTypes } from "./people.tables.ts";

/** A pilot in the public API: neither e-mail address, date of birth, licence number nor account. */
export const publicPilot = shape("PublicPilot", {
  id: field(idOf<"person">(), people.id),
  name: field(z.string().meta({ examples: ["Anna Berg"] }), people.name),
  types: field(
    z
      .array(z.enum(personTypes))
      .meta({ description: "What somebody is in aviation.", examples: [["instructor", "pilot"]] }),
    json(people.types),
  ),
  ratings: field(
    z
      .array(z.string())
      .meta({ description: "Ratings and certificates by their short names.", examples: [["SEP", "FI"]] }),
    json(people.ratings),
  ),
  restricted_instructor: field(
    z
      .boolean()
      .meta({ description: "A flight instructor with restricted privileges (FCL.910.FI).", examples: [false] }),
    bool(people.restricted_instructor),
  ),
  created_at: field(instantOut, people.created_at),
  updated_at: field(instantOut, people.updated_at),
});

/** A person to the school itself. */
export const person = shape("Person", {
  ...publicPilot.fields,
  email: field(
    z
      .string()
      .nullable()
      .meta({ examples: ["anna.berg@example.com"] }),
    people.email,
  ),
  date_of_birth: field(dateField.nullable().meta({ examples: ["1994-03-21"] }), people.date_of_birth),
  licence_number: field(
    z
      .string()
      .nullable()
      .meta({ examples: ["DE.FCL.4711"] }),
    people.licence_number,
  ),
  user_id: field(idOf<"user">().nullable().meta({ description: "The account that is this person." }), people.user_id),
  supervisor_id: field(
    idOf<"person">().nullable().meta({ description: "Who supervises a restricted instructor." }),
    people.supervisor_id,
  ),
});

export type Person = Resource<typeof person>;
