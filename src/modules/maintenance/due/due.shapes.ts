/** How the maintenance of an aircraft stands, in the public API. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { columns } from "../../../storage/columns.ts";
import { field, fieldsOf, json, part, shape } from "../../../storage/shape.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { item, remainingHours } from "../items/items.shapes.ts";
import { type itemStatuses, maintenanceItems } from "../maintenance.tables.ts";

const about = part(fieldsOf(aircraftShape, "id", "registration", "model"));

/** Counts the items of the aircraft with one status, in an index. */
export const countOf = (status: (typeof itemStatuses)[number]) =>
  field(
    z.int().meta({ examples: [1] }),
    sql`(select count(*) from ${maintenanceItems}
      where ${maintenanceItems.aircraft_id} = ${aircraft.id} and ${maintenanceItems.status} = ${sql.raw(`'${status}'`)})`,
  );

const next = part({
  ...columns(maintenanceItems, { name: item.schema.shape.name, due_on: item.schema.shape.due_on }),
  remaining_hours: remainingHours,
});

/** The worst status first, then what is expected to be due first. `json`, because SQLite sorts text. */
const nextItem = json(sql`(
  select ${next.json} from ${maintenanceItems} where ${maintenanceItems.aircraft_id} = ${aircraft.id}
  order by case ${maintenanceItems.status} when 'overdue' then 0 when 'upcoming' then 1 else 2 end,
    ${maintenanceItems.forecast_on} is null, ${maintenanceItems.forecast_on}, ${maintenanceItems.name}
  limit 1)`);

export const maintenanceDue = shape("PublicMaintenanceDue", {
  aircraft: field(about.schema, about.json),
  overdue: countOf("overdue"),
  upcoming: countOf("upcoming"),
  ok: countOf("ok"),
  next: field(next.schema.nullable().meta({ description: "What is to be done first; null without items." }), nextItem),
});
