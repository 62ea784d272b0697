/** What an aircraft looks like from outside. */
import { z } from "zod";
import { hundredthsOut, idOf, instantOut } from "../../http/fields.ts";
import { field, hundredths, type Resource, shape } from "../../storage/shape.ts";
import { aircraftClasses, aircraftStatuses, billingBases, aircraft as table } from "./fleet.tables.ts";

export const aircraft = shape("Aircraft", {
  id: field(idOf<"aircraft">(), table.id),
  registration: field(z.string().meta({ examples: ["D-EABC"] }), table.registration),
  model: field(z.string().meta({ examples: ["Cessna 172S"] }), table.model),
  icao_type: field(
    z
      .string()
      .nullable()
      .meta({ description: "ICAO type designator (Doc 8643).", examples: ["C172"] }),
    table.icao_type,
  ),
  class: field(z.enum(aircraftClasses).meta({ examples: ["SEP"] }), table.class),
  mtom_kg: field(
    z
      .int()
      .nullable()
      .meta({ description: "Maximum take-off mass in kilograms.", examples: [1157] }),
    table.mtom_kg,
  ),
  seats: field(
    z
      .int()
      .nullable()
      .meta({ examples: [4] }),
    table.seats,
  ),
  hourly_rate_minor: field(
    z
      .int()
      .nullable()
      .meta({ description: "The price of an hour, in the currency's smallest unit.", examples: [22_500] }),
    table.hourly_rate_minor,
  ),
  currency: field(
    z
      .string()
      .nullable()
      .meta({ description: "ISO 4217; null without a price.", examples: ["EUR"] }),
    table.currency,
  ),
  billing_basis: field(
    z.enum(billingBases).meta({ description: "Which of a flight's figures is charged.", examples: ["block"] }),
    table.billing_basis,
  ),
  status: field(z.enum(aircraftStatuses).meta({ examples: ["available"] }), table.status),
  hobbs: field(hundredthsOut.meta({ description: "The Hobbs meter, in hours." }), hundredths(table.hobbs)),
  tacho: field(
    hundredthsOut.meta({ description: "The tachometer's hour counter.", examples: ["1102.25"] }),
    hundredths(table.tacho),
  ),
  airframe_minutes: field(
    z.int().meta({ description: "The airframe's flight time.", examples: [74_070] }),
    table.airframe_minutes,
  ),
  created_at: field(instantOut, table.created_at),
  updated_at: field(instantOut, table.updated_at),
});

export type Aircraft = Resource<typeof aircraft>;
