/** The event about maintenance and grounded aircraft. The modules `fleet` and `maintenance` emit it. */
import { z } from "zod";
import { dateField, idOf } from "../http/fields.ts";
import { defineEvent } from "./catalog.ts";

const id = idOf();
const ID = id.parse("01890a5d-ac96-774b-bcce-b302099a8057");
const signedHours = z.string().regex(/^-?\d+\.\d{2}$/);

const aircraft = z.strictObject({
  id,
  registration: z.string(),
  model: z.string(),
  icao_type: z.string().nullable(),
  class: z.string(),
  status: z.enum(["available", "grounded", "archived"]),
});

const item = z.strictObject({
  id,
  name: z.string(),
  critical: z.boolean(),
  status: z.enum(["overdue", "upcoming", "ok"]),
  due_on: dateField.nullable(),
  remaining_hours: signedHours.nullable(),
  remaining_landings: z.int().nullable(),
});

const work_order = z.strictObject({ id, title: z.string(), status: z.enum(["open", "in_progress", "done"]) });

const data = z.strictObject({
  alert: z.enum(["item_upcoming", "item_overdue", "work_order_opened", "aircraft_grounded"]),
  aircraft,
  item: item.optional(),
  work_order: work_order.optional(),
});

export type MaintenanceAlert = z.infer<typeof data>;

export const maintenanceAlert = defineEvent("maintenance.alert", {
  data,
  example: {
    alert: "item_upcoming",
    aircraft: {
      id: ID,
      registration: "D-EABC",
      model: "Cessna 172S",
      icao_type: "C172",
      class: "SEP",
      status: "available",
    },
    item: {
      id: ID,
      name: "100-hour inspection",
      critical: true,
      status: "upcoming",
      due_on: null,
      remaining_hours: "1.30",
      remaining_landings: null,
    },
  },
});
