/** The columns of an imported list of people. */
import { z } from "zod";
import { idOf } from "../../../http/fields.ts";
import type { Columns } from "../../../http/import-table.ts";
import { optionalInputs } from "../../../storage/columns.ts";
import { privateFields, publicFields } from "../people.schemas.ts";

const { user_id: _, ...imported } = { ...publicFields, ...privateFields };

export const PersonLine = z.strictObject(optionalInputs({ id: idOf<"person">(), ...imported }));
export type PersonLine = z.infer<typeof PersonLine>;

export const personColumns: Columns<PersonLine> = {
  schema: PersonLine,
  ignored: ["user_id", "status", "erased_at", "created_at", "updated_at"],
};

export const examplePeople = `name,email,types,licence_number
Clara Vogt,clara.vogt@example.com,instructor|pilot,DE.FCL.4712
Tom Stein,tom.stein@example.com,student,
`;
