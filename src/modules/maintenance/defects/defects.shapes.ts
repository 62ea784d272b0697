/** The JSON of a defect. */
import { z } from "zod";
import { dateField, idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { rowShape } from "../../../storage/columns.ts";
import type { Resource } from "../../../storage/shape.ts";
import { defectStatuses, defects as table } from "../maintenance.tables.ts";
import { fields } from "./defects.schemas.ts";

export const defect = rowShape("Defect", table, {
  id: idOf<"defect">(),
  aircraft_id: idOf<"aircraft">(),
  ...fields,
  status: z.enum(defectStatuses).meta({ examples: ["open"] }),
  work_order_id: idOf<"workOrder">(),
  deferral_reason: z.string().nullable(),
  deferred_until: dateField.nullable().meta({ description: "It grounds the aircraft after this day." }),
  deferred_until_airframe_minutes: z.int().nullable().meta({
    description: "It grounds the aircraft beyond this airframe time, which moves with corrections of the counter.",
  }),
  reported_by: idOf<"user">().nullable(),
  rectified_at: instantOut.nullable(),
  ...stampsOut,
});

export type Defect = Resource<typeof defect>;
