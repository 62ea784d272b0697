/** The JSON of a person: for the school, and for the public API. */
import { idOf, instantOut, stampsOut } from "../../http/fields.ts";
import { columns, rowShape } from "../../storage/columns.ts";
import { knownBy, names } from "../../storage/names.ts";
import { type Resource, shape } from "../../storage/shape.ts";
import { privateFields, publicFields, status } from "./people.schemas.ts";
import { people } from "./people.tables.ts";

/** Beside the ids of people. */
export const personName = knownBy(people, "name", "Anna Berg");

/** A pilot in the public API, without contact, date of birth, licence number and account. */
export const publicPilot = rowShape("PublicPilot", people, {
  id: idOf<"person">(),
  status: status.meta({ description: "`archived` only with `updated_since`: the person left the list." }),
  ...publicFields,
  ...stampsOut,
});

/** A person as the school sees them. */
export const person = shape("Person", {
  ...publicPilot.fields,
  ...columns(people, {
    status,
    ...privateFields,
    erased_at: instantOut.nullable().meta({ description: "When the person's data was erased.", examples: [null] }),
  }),
  ...names(people, { supervisor_id: personName }),
});

export type Person = Resource<typeof person>;
