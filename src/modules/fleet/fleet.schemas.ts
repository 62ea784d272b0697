/** The fields of an aircraft and the input of the routes. */
import { z } from "zod";
import { formats } from "../../core/formats.ts";
import { issueCodes } from "../../core/issues.ts";
import { hourCounter, integer, longText, text } from "../../http/fields.ts";
import { paging, sortedBy } from "../../http/query.ts";
import { changeOf, inputs, newOf, optionalInputs } from "../../storage/columns.ts";
import { aircraftStatuses, billingBases } from "./fleet.tables.ts";
import { aircraftClasses } from "./fleet.values.ts";

const registration = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9-]{0,8}[A-Z0-9]$/, formats.registration)
  .meta({ examples: ["D-EABC"] });

/** ICAO Doc 8643: two to four characters, the first a letter. */
export const icaoType = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z][A-Z0-9]{1,3}$/, formats.icao_type);

export const masterData = {
  registration,
  model: text(80).meta({ examples: ["Cessna 172S"] }),
  icao_type: icaoType.nullable().meta({ description: "ICAO type designator (Doc 8643).", examples: ["C172"] }),
  serial_number: text(40)
    .nullable()
    .meta({ description: "The maker's serial number.", examples: ["172S10482"] }),
  class: z.enum(aircraftClasses).meta({
    description:
      "`FSTD`: a simulator. An aircraft with flights can't become one, and a simulator with sessions no aircraft.",
    examples: ["SEP"],
  }),
  mtom_kg: integer(1, 999_999)
    .nullable()
    .meta({ description: "Maximum take-off mass in kilograms.", examples: [1157] }),
  seats: integer(1, 999)
    .nullable()
    .meta({ examples: [4] }),
  multi_pilot: z.boolean().meta({
    description:
      "Two pilots are required, by the type certificate or by the operation: its flight time is multi-pilot time. Elsewhere, a co-pilot and PICUS cause the warning `single_pilot_aircraft`.",
    examples: [false],
  }),
  hourly_rate_minor: integer(0, 100_000_000)
    .nullable()
    .meta({ description: "The price of one hour in the smallest unit of the currency.", examples: [22_500] }),
  billing_basis: z
    .enum(billingBases)
    .meta({ description: "The time or counter of a flight that is charged.", examples: ["block"] }),
};

/** Readings of the aircraft's counters. The limit of airframe time is far above that of the oldest airframes. */
export const counters = {
  hobbs: hourCounter({ description: "The Hobbs meter, in hours." }),
  tacho: hourCounter({ description: "The tachometer's hour counter.", example: "1102.25" }),
  airframe_minutes: integer(0, 99_999_999).meta({
    description: "The flight time of the airframe in minutes.",
    examples: [74_070],
  }),
  landings: integer(0, 9_999_999).meta({ description: "The landings (cycles) of the airframe.", examples: [4180] }),
};

const reading = inputs(counters);

export const NewAircraft = newOf("NewAircraft", {
  ...masterData,
  multi_pilot: masterData.multi_pilot.default(false),
  billing_basis: masterData.billing_basis.default("block"),
  hobbs: reading.hobbs.prefault("0.00"),
  tacho: reading.tacho.prefault("0.00"),
  airframe_minutes: reading.airframe_minutes.default(0),
  landings: reading.landings.default(0),
}).meta({
  description:
    "A counter without a reading starts at zero. The default billing basis is block time, and the default aircraft is for one pilot.",
});
export type NewAircraft = z.infer<typeof NewAircraft>;

const Correction = z
  .strictObject({
    ...optionalInputs(counters),
    reason: longText(1000).meta({ examples: ["The tachometer was replaced."] }),
  })
  .refine(({ reason: _, ...readings }) => Object.keys(readings).length > 0, issueCodes.nothing_to_change)
  .meta({
    description:
      "Sets counters to a reading. The list of corrections keeps the reason. Apart from this, only flights change counters. A correction is no time flown: the readings at which maintenance is due move by as much.",
  });
export type Correction = z.infer<typeof Correction>;

export const AircraftChange = changeOf("AircraftChange", {
  ...masterData,
  status: z.enum(["available", "archived"]).meta({
    description:
      "`archived` archives the aircraft; `available` undoes that: the aircraft is available, or grounded if it has `groundings`.",
    examples: ["archived"],
  }),
  counters: Correction,
});
export type AircraftChange = z.infer<typeof AircraftChange>;

export const AircraftGrounding = z
  .strictObject({ reason: longText(1000).meta({ examples: ["Nose wheel shimmy."] }) })
  .meta({ id: "AircraftGrounding" });

/** It may be left out, and so may the body. */
export const GroundingLift = z
  .strictObject({
    note: longText(1000)
      .optional()
      .meta({ description: "What was found or done.", examples: ["Shimmy damper serviced, test flight flown."] }),
  })
  .optional()
  .meta({ id: "GroundingLift" });
export type GroundingLift = NonNullable<z.infer<typeof GroundingLift>>;

export const AircraftListQuery = z.strictObject({
  ...paging,
  status: z.enum(aircraftStatuses).optional(),
  order: sortedBy("registration", "-registration", "model", "-airframe_minutes"),
});
