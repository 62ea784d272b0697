/** The JSON of an aircraft's journey log. */
import { type SQLWrapper, sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, idOf } from "../../http/fields.ts";
import { field, type Resource, shape } from "../../storage/shape.ts";
import { isSession, publicFlight } from "../flights/flights.shapes.ts";
import { flights } from "../flights/flights.tables.ts";
import { defects } from "../maintenance/maintenance.tables.ts";
import { airframe, journeySums } from "./logbooks.schemas.ts";

const { fields } = publicFlight;

/** What a flight adds to the totals. */
export const journeyColumns: Record<keyof typeof journeySums, SQLWrapper> = {
  block_minutes: fields.block_minutes.value,
  airborne_minutes: fields.airborne_minutes.value,
  day_landings: flights.day_landings,
  night_landings: flights.night_landings,
  // As `counterDifferences` of flights.
  airframe_minutes: sql`iif(${isSession}, 0, ifnull(${fields.airborne_minutes.value}, ${fields.block_minutes.value}))`,
  airframe_landings: sql`${flights.day_landings} + ${flights.night_landings}`,
};

const reported = sql`(
  select json_group_array(${defects.description}) from ${defects} where ${defects.flight_id} = ${flights.id})`;

const { off_block_at, take_off_at, landing_at, on_block_at } = fields;
const { departure, arrival, nature, crew, block_minutes, airborne_minutes, day_landings, night_landings } = fields;
const { hobbs_start, hobbs_end, tacho_start, tacho_end } = fields;
const { passengers, fuel_uplift_litres, oil_uplift_litres, workshop_remarks } = fields;

export const journey = shape("JourneyLogEntry", {
  flight_id: field(idOf<"flight">(), flights.id),
  date: field(
    dateField.meta({ description: "Of departure, in UTC.", examples: ["2025-06-14"] }),
    sql`substr(${flights.off_block_at}, 1, 10)`,
  ),
  crew,
  nature,
  departure,
  off_block_at,
  take_off_at,
  arrival,
  landing_at,
  on_block_at,
  block_minutes,
  airborne_minutes,
  day_landings,
  night_landings,
  airframe_minutes: field(journeySums.airframe_minutes, journeyColumns.airframe_minutes),
  airframe_landings: field(journeySums.airframe_landings, journeyColumns.airframe_landings),
  // Filled in from the totals.
  airframe_total_minutes: field(airframe.airframe_total_minutes, sql`0`),
  hobbs_start,
  hobbs_end,
  tacho_start,
  tacho_end,
  passengers,
  fuel_uplift_litres,
  oil_uplift_litres,
  workshop_remarks,
  defects: field(
    z
      .array(z.string())
      .meta({ description: "The defects that were reported on this flight.", examples: [["Flat tyre."]] }),
    reported,
  ),
});
export type JourneyEntry = Resource<typeof journey>;
