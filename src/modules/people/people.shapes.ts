/** What a person looks like from outside: to the school itself, and to integrators. */
import { idOf, instantOut } from "../../http/fields.ts";
import { columns } from "../../storage/columns.ts";
import { type Resource, shape } from "../../storage/shape.ts";
import { privateFields, publicFields } from "./people.schemas.ts";
import { people } from "./people.tables.ts";

/** A pilot in the public API: neither e-mail address, date of birth, licence number nor account. */
export const publicPilot = shape(
  "PublicPilot",
  columns(people, { id: idOf<"person">(), ...publicFields, created_at: instantOut, updated_at: instantOut }),
);

/** A person to the school itself. */
export const person = shape("Person", { ...publicPilot.fields, ...columns(people, privateFields) });

export type Person = Resource<typeof person>;
