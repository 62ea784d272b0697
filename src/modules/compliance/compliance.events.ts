import { z } from "zod";
import { defineEvent } from "../../events/catalog.ts";
import { dataOf } from "../../events/data-of.ts";
import { dateField, idOf } from "../../http/fields.ts";
import { complianceRecords } from "./compliance.tables.ts";
import { person, publicRecord } from "./records/records.shapes.ts";

export const recordData = dataOf("record", publicRecord, complianceRecords);

/** The days before the expiry on which `medical.expiring` is emitted. */
export const noticeDays = [60, 30, 14] as const;

export const medicalExpiring = defineEvent("medical.expiring", {
  data: z.strictObject({
    person: person.schema,
    record: z.strictObject({
      id: idOf<"record">(),
      level: z.string().meta({ description: "The class, as in the record.", examples: ["class_2"] }),
      valid_until: dateField,
    }),
    threshold_days: z.literal([...noticeDays]),
    days_left: z.int().meta({ description: "Negative: the medical has expired.", examples: [30] }),
  }),
});

export const complianceUpdated = defineEvent("compliance.updated", { data: recordData.schema });
