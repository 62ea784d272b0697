/** The JSON of an evidence pack: its metadata, in the public API and events, and for the school. */
import { idOf, stampsOut } from "../../../http/fields.ts";
import { columns, rowShape } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { type Resource, shape } from "../../../storage/shape.ts";
import { personName } from "../../people/people.shapes.ts";
import { evidencePacks as table } from "../evidence.tables.ts";
import { privateFields, publicFields } from "./packs.schemas.ts";

export const publicVtr = rowShape("PublicVtr", table, { id: idOf<"evidence_pack">(), ...publicFields, ...stampsOut });

export const evidencePack = shape("EvidencePack", {
  ...publicVtr.fields,
  ...columns(table, privateFields),
  ...names(table, { person_id: personName, requested_by: accountName }),
});
export type EvidencePack = Resource<typeof evidencePack>;
