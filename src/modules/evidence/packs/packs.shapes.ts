/** The JSON of an evidence pack: its metadata, in the public API and events, and for the school. */
import { idOf, stampsOut } from "../../../http/fields.ts";
import { columns, rowShape } from "../../../storage/columns.ts";
import { type Resource, shape } from "../../../storage/shape.ts";
import { evidencePacks as table } from "../evidence.tables.ts";
import { privateFields, publicFields } from "./packs.schemas.ts";

export const publicVtr = rowShape("PublicVtr", table, { id: idOf<"evidence_pack">(), ...publicFields, ...stampsOut });

export const evidencePack = shape("EvidencePack", { ...publicVtr.fields, ...columns(table, privateFields) });
export type EvidencePack = Resource<typeof evidencePack>;
