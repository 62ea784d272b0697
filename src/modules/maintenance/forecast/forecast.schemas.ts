import { z } from "zod";
import { dateField, idOf, instantOut } from "../../../http/fields.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { item } from "../items/items.shapes.ts";
import { itemStatuses } from "../maintenance.tables.ts";

export const ForecastQuery = z.strictObject({
  aircraft_id: idOf<"aircraft">().optional(),
  status: z.enum(itemStatuses).optional(),
  until: dateField
    .optional()
    .meta({ description: "Only what is overdue, or expected to be due by this day.", examples: ["2099-12-31"] }),
});
export type ForecastQuery = z.infer<typeof ForecastQuery>;

const { name, critical, past_tolerance, due_on, due_hours, due_landings, remaining_hours, remaining_landings } =
  item.schema.shape;
const { hours_counter, interval_hours, interval_months, interval_landings, forecast_on, status } = item.schema.shape;

const hours = z.string().meta({ examples: ["12.50"] });

export const Forecast = z
  .strictObject({
    aircraft: z
      .array(
        z.strictObject({
          id: idOf<"aircraft">(),
          registration: z.string().meta({ examples: ["D-EABC"] }),
          status: aircraftShape.schema.shape.status,
          booked_hours: hours.meta({ description: "Of the flights and lessons that are still to end." }),
          per_booked_hour: z.strictObject({ airframe: hours, hobbs: hours, tacho: hours }).meta({
            description:
              "The hours that each counter is expected to run in an hour that is booked: as in the sessions of the last 90 days whose flights were approved; 1.00 if they are fewer than five, or the counter was not read.",
          }),
        }),
      )
      .meta({ description: "By registration, without archived ones." }),
    items: z
      .array(
        z.strictObject({
          item_id: idOf<"item">(),
          ...{ aircraft_id: idOf<"aircraft">(), aircraft_registration: z.string().meta({ examples: ["D-EABC"] }) },
          ...{ name, critical, status, past_tolerance, hours_counter },
          ...{ interval_hours, interval_months, interval_landings },
          ...{ due_on, due_hours, due_landings, remaining_hours, remaining_landings },
          due_by: z
            .enum(["date", "hours", "landings"])
            .nullable()
            .meta({
              description:
                "The limit that decides: the one that is exceeded or whose beginning is not known; else the first to be reached. Null: none is expected to be.",
              examples: ["hours"],
            }),
          forecast_on,
          booked_on: dateField.nullable().meta({
            description:
              "When it is due by what is booked: `due_on`, or before that the day of the session in which the hours run out. Null: what is booked does not use them up. Landings are not booked.",
            examples: ["2026-05-02"],
          }),
          beyond_from: instantOut.nullable().meta({
            description:
              "Bookings that start then or later are beyond the limit: the session in which the hours run out or `due_on` passes, the day after it, or now if it is overdue and nothing tells since when. Null: none is.",
          }),
          booked_beyond: z.int().meta({ description: "How many flights are booked from then on.", examples: [3] }),
        }),
      )
      .meta({ description: "What is overdue first, then by the earlier one of `forecast_on` and `booked_on`." }),
  })
  .meta({ id: "MaintenanceForecast" });
export type Forecast = z.infer<typeof Forecast>;
