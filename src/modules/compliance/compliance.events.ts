import { defineEvent } from "../../events/catalog.ts";
import { dataOf } from "../../events/data-of.ts";
import { complianceRecords } from "./compliance.tables.ts";
import { publicRecord } from "./records/records.shapes.ts";

export const recordData = dataOf("record", publicRecord, complianceRecords);

export const complianceUpdated = defineEvent("compliance.updated", { data: recordData.schema });
