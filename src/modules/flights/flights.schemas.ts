/** The fields of a flight and the input of the routes. `flight-rules.ts` checks them against each other. */
import { z } from "zod";
import { issueCodes } from "../../core/issues.ts";
import { shownAs } from "../../http/documented-as.ts";
import { hourCounter, icaoPlace, idOf, instant, integer, litres, longText, nullable, text } from "../../http/fields.ts";
import { booleanQuery, fromAndTo, paging, period, periodOrChanges, sortedBy, updatedSince } from "../../http/query.ts";
import { byDefault, changeOf, inputs } from "../../storage/columns.ts";
import { ruleKeys } from "../rules/clearance-rules.ts";
import { crewFunctions } from "../rules/crew.values.ts";
import { rule } from "../rules/findings.schemas.ts";
import { flightStatuses, natures, publicStatuses } from "./flights.tables.ts";

const count = (max: number) => integer(0, max);
const landings = count(200).meta({ examples: [1] });
const minutes = count(1440).meta({ examples: [0] });

/** @param example a time of day, UTC */
const at = (example: string) => {
  const { in: input, out } = nullable(instant);
  return { in: input.meta(shownAs(`2025-06-14T${example}:00.000Z`)), out };
};
const reading = (example: string) => nullable(hourCounter({ example }));
const place = icaoPlace.nullable().meta({ examples: ["EDFE"] });

/** Null: the value is not known. */
export const times = {
  off_block_at: at("08:30"),
  take_off_at: at("08:41"),
  landing_at: at("09:24"),
  on_block_at: at("09:32"),
};
export const places = { departure: place, arrival: place };
export const readings = {
  hobbs_start: reading("1234.50"),
  hobbs_end: reading("1235.50"),
  tacho_start: reading("1102.30"),
  tacho_end: reading("1103.10"),
};
export const lesson = text(200)
  .nullable()
  .meta({ examples: ["13 circuit, approach and landing"] });
export const remarks = longText(2000).nullable();

/** What a flight counts for in a student's training, and who answers for it. */
export const training = {
  supervisor_id: idOf<"person">()
    .nullable()
    .meta({
      description:
        "Of a solo flight: the instructor who authorized it and supervises it (FCL.020). Null: nobody, which the clearance finds unless the pilot holds a licence.",
      examples: [null],
    }),
  lesson_id: idOf<"lesson">().nullable().meta({
    description:
      "The lesson of a training program: of the revision in which a student on board (`dual`, `solo`, `spic`) is enrolled.",
  }),
  cross_country_km: integer(1, 20_000)
    .nullable()
    .meta({ description: "Of a cross-country flight: its distance in kilometres.", examples: [280] }),
  full_stops_elsewhere: count(50)
    .nullable()
    .meta({
      description: "Of a cross-country flight: its full-stop landings at other aerodromes than that of departure.",
      examples: [2],
    }),
};

export const nature = z
  .enum(natures)
  .nullable()
  .meta({
    description:
      "Why the flight is made; null: not stated. `simulator` is a session on an aircraft of class `FSTD`, is required there, and is no flight time.",
    examples: ["training"],
  });
export const uplifts = {
  fuel_uplift_litres: nullable(litres({ description: "Fuel taken on, in litres.", example: "62.50" })),
  oil_uplift_litres: nullable(litres({ description: "Engine oil taken on, in litres.", example: "0.95" })),
};
export const workshop_remarks = longText(2000)
  .nullable()
  .meta({ description: "For the mechanics. Report a defect as such.", examples: ["The left brake feels soft."] });

/** Fields that are null if they are not known. */
export const mayBeUnknown = {
  nature,
  ...times,
  ...places,
  ...readings,
  ...uplifts,
  ...training,
  lesson,
  remarks,
  workshop_remarks,
};

export const passengers = count(999).meta({ description: "Persons on board besides the crew.", examples: [2] });

export const figures = {
  night_minutes: minutes,
  ifr_minutes: minutes,
  day_landings: landings,
  night_landings: landings,
};

export const crewFunction = z.enum(crewFunctions);

const ownLandings = (when: string) =>
  landings.nullable().meta({
    description: `Landings ${when} that the member made. Null: the student on instruction, else the pilot, makes those that are not entered for others.`,
    examples: [null],
  });
export const crewLandings = { day_landings: ownLandings("by day"), night_landings: ownLandings("at night") };

const CrewEntry = z
  .strictObject({ person_id: idOf<"person">(), function: crewFunction, ...byDefault(null, crewLandings) })
  .meta({ id: "CrewEntry" });

const Crew = z
  .array(CrewEntry)
  .max(10)
  .refine((crew) => new Set(crew.map(({ person_id }) => person_id)).size === crew.length, issueCodes.repeated);

const aircraft_id = idOf<"aircraft">();

export const FlightDraft = z
  .strictObject({
    aircraft_id,
    ...byDefault(null, inputs(mayBeUnknown)),
    ...byDefault(0, { ...figures, passengers }),
    crew: Crew.default([]),
  })
  .meta({
    id: "FlightDraft",
    description: "Only the aircraft is required. Other values may follow until the flight is submitted.",
  });

/** The recorded fields of a flight. Counter readings are in hundredths of an hour. */
export type FlightContent = z.output<typeof FlightDraft>;

export const FlightChange = changeOf("FlightChange", {
  aircraft_id,
  ...mayBeUnknown,
  ...figures,
  passengers,
  crew: Crew,
});
export type FlightChange = z.infer<typeof FlightChange>;

const reason = longText(1000).meta({ examples: ["The Hobbs readings are of the flight before."] });

export const Approval = z
  .strictObject({
    revision: z
      .int()
      .min(1)
      .optional()
      .meta({
        description: "The revision that the approver reviewed. 409: the flight has changed since.",
        examples: [1],
      }),
    reason: reason.optional().meta({
      description:
        "Why the approver approves a flight in whose crew they are or were. Allowed only if no other member could approve it: all are in the crew, or, for an approver who was taken out of it, were named in it.",
    }),
    acknowledge: z
      .array(rule)
      .max(ruleKeys.length)
      .optional()
      .meta({
        description:
          "The rules whose findings block, each of them, if the flight is approved all the same. Needs the permission `flights:acknowledge`. Rules that find nothing may be named, too.",
        examples: [["medical_expired"]],
      }),
  })
  .optional()
  .meta({ id: "FlightApproval" });
export type Approval = NonNullable<z.infer<typeof Approval>>;

export const Reason = z.strictObject({ reason }).meta({ id: "FlightReason" });

/** `from` and `to` filter by `off_block_at`. Either of them excludes flights without one. */
export const FlightListQuery = period(
  z.strictObject({
    ...paging,
    ...fromAndTo,
    status: z.enum(flightStatuses).optional(),
    aircraft_id: idOf<"aircraft">().optional(),
    person_id: idOf<"person">().optional().meta({ description: "Only flights with this person in the crew." }),
    enrollment_id: idOf<"enrollment">().optional().meta({ description: "Only flights that count for this training." }),
    workshop_remarks: booleanQuery("Whether to list only flights with `workshop_remarks`.", true),
    order: sortedBy("-off_block_at", "off_block_at"),
  }),
);
type ListQuery = z.infer<typeof FlightListQuery>;
export type FlightFilter = Partial<Omit<ListQuery, "workshop_remarks" | "enrollment_id" | "person_id" | "order">>;
export type FlightListFilter = Partial<Omit<ListQuery, "order">>;

export const PublicFlightListQuery = periodOrChanges(
  z.strictObject({ ...paging, ...fromAndTo, ...updatedSince, status: z.enum(publicStatuses).optional() }),
);

export const PublicFlightRef = z.object({ flightId: idOf<"flight">() });
