/** What the routes of the fleet take. */
import { z } from "zod";
import { hundredths, idOf, longText, text } from "../../http/fields.ts";
import { paging } from "../../http/query.ts";
import { aircraftClasses, aircraftStatuses, billingBases } from "./fleet.tables.ts";

const registration = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9-]{0,8}[A-Z0-9]$/, "Must be a registration such as D-EABC.")
  .meta({ examples: ["D-EABC"] });

/** ICAO Doc 8643: two to four characters, the first a letter. */
const icaoType = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z][A-Z0-9]{1,3}$/, "Must be an ICAO type designator such as C172.")
  .meta({ examples: ["C172"] });

/** Airframe time in whole minutes; the limit is far above the oldest airframe and safe in any arithmetic. */
const airframeMinutes = z
  .int()
  .min(0)
  .max(99_999_999)
  .meta({ examples: [74_070] });

const MasterData = z.strictObject({
  registration,
  model: text(80).meta({ examples: ["Cessna 172S"] }),
  icao_type: icaoType.nullable(),
  class: z.enum(aircraftClasses).meta({ examples: ["SEP"] }),
  mtom_kg: z
    .int()
    .min(1)
    .max(999_999)
    .nullable()
    .meta({
      description: "Maximum take-off mass in kilograms.",
      examples: [1157],
    }),
  seats: z
    .int()
    .min(1)
    .max(999)
    .nullable()
    .meta({ examples: [4] }),
  hourly_rate_minor: z
    .int()
    .min(0)
    .max(100_000_000)
    .nullable()
    .meta({
      description: "The price of an hour, in the smallest unit of the organization's currency.",
      examples: [22_500],
    }),
  billing_basis: z
    .enum(billingBases)
    .meta({ description: "Which of a flight's figures is charged.", examples: ["block"] }),
});

/** Readings of the aircraft's counters. */
const Counters = z
  .strictObject({
    hobbs: hundredths.meta({ description: "The Hobbs meter, in hours." }),
    tacho: hundredths.meta({ description: "The tachometer's hour counter.", examples: ["1102.25"] }),
    airframe_minutes: airframeMinutes.meta({ description: "The airframe's flight time." }),
  })
  .partial();

export const NewAircraft = MasterData.partial({
  icao_type: true,
  mtom_kg: true,
  seats: true,
  hourly_rate_minor: true,
  billing_basis: true,
})
  .extend(Counters.shape)
  .meta({
    id: "NewAircraft",
    description: "Counters start at zero where no reading is given; billing is by block time.",
  });
export type NewAircraft = z.infer<typeof NewAircraft>;

const Correction = Counters.extend({
  reason: longText(1000).meta({ examples: ["The tachometer was replaced."] }),
})
  .refine(({ reason: _, ...readings }) => Object.keys(readings).length > 0, "No counter to correct.")
  .meta({
    description: "Sets counters to a reading, with the reason in the audit log. Otherwise only flights move them.",
  });
export type Correction = z.infer<typeof Correction>;

export const AircraftChange = MasterData.partial()
  .extend({
    status: z.literal("archived").optional().meta({ description: "Archives the aircraft, for good." }),
    counters: Correction.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, "Nothing to change.")
  .meta({ id: "AircraftChange", description: "Only what is given changes; null empties." });
export type AircraftChange = z.infer<typeof AircraftChange>;

export const AircraftRef = z.object({ orgId: idOf<"organization">(), aircraftId: idOf<"aircraft">() });

export const AircraftListQuery = z.object({
  ...paging,
  status: z.enum(aircraftStatuses).optional(),
});
