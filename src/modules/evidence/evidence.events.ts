import { defineEvent } from "../../events/catalog.ts";
import { dataOf } from "../../events/data-of.ts";
import { evidencePacks } from "./evidence.tables.ts";
import { publicVtr } from "./packs/packs.shapes.ts";

export const vtrData = dataOf("vtr", publicVtr, evidencePacks);

export const vtrIssued = defineEvent("vtr.issued", { data: vtrData.schema });
