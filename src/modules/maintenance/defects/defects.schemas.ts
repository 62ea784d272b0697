import { z } from "zod";
import { dateField, hourCounter, idOf, longText } from "../../../http/fields.ts";
import { paging, sortedBy } from "../../../http/query.ts";
import { fault } from "../../../http/schema-fault.ts";
import { newOf } from "../../../storage/columns.ts";
import { defectStatuses } from "../maintenance.tables.ts";

export const fields = {
  description: longText(2000).meta({ examples: ["Left brake drags."] }),
  grounding: z.boolean().meta({ description: "Whether it grounds the aircraft at once.", examples: [false] }),
  flight_id: idOf<"flight">().nullable().meta({ description: "The flight on which it was noticed." }),
};

export const NewDefect = newOf("NewDefect", { ...fields, grounding: fields.grounding.default(false) });
export type NewDefect = z.infer<typeof NewDefect>;

export const Deferral = z
  .strictObject({
    reason: longText(1000).meta({ examples: ["The part is ordered. The other brake holds."] }),
    until: dateField.optional().meta({ description: "The last day.", examples: ["2026-07-14"] }),
    hours: hourCounter({
      description: "How many hours of airframe time it may still fly.",
      example: "10.00",
    }).in.optional(),
  })
  .refine(
    ({ until, hours }) => until !== undefined || hours !== undefined,
    fault("one_needed", { fields: ["until", "hours"] }),
  )
  .meta({ id: "DefectDeferral", description: "With both limits, the deferral ends at the first." });
export type Deferral = z.infer<typeof Deferral>;

export const DefectListQuery = z.strictObject({
  ...paging,
  status: z.enum(defectStatuses).optional(),
  order: sortedBy("-created_at", "created_at"),
});
