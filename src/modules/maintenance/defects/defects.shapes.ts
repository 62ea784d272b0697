/** The JSON of a defect. */
import { z } from "zod";
import { dateField, idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { type Resource, shape } from "../../../storage/shape.ts";
import { aircraftRegistration } from "../../fleet/fleet.shapes.ts";
import { defectStatuses, defects as table } from "../maintenance.tables.ts";
import { workOrderTitle } from "../work-orders/work-orders.shapes.ts";
import { fields } from "./defects.schemas.ts";

export const defect = shape("Defect", {
  ...columns(table, {
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
  }),
  ...names(table, {
    aircraft_id: aircraftRegistration,
    work_order_id: workOrderTitle,
    reported_by: accountName,
  }),
});

export type Defect = Resource<typeof defect>;
