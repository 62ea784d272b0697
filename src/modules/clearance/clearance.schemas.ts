/** The query and the responses of the clearance. */
import { z } from "zod";
import { issueCodes } from "../../core/issues.ts";
import { dateField, idOf, instantOut } from "../../http/fields.ts";
import { booleanQuery, instantQuery, integerQuery } from "../../http/query.ts";
import { fault } from "../../http/schema-fault.ts";
import { crewFunction } from "../flights/flights.schemas.ts";
import { foundAction, rule } from "../rules/findings.schemas.ts";
import { source } from "../rules/rules.schemas.ts";

const onBoard = crewFunction.meta({ description: "The person's function on board.", examples: ["pic"] });
/** Later or earlier instants leave the years that dates are written with. */
const at = instantQuery
  .refine((instant) => instant >= "1900" && instant < "2200", fault("not_between", { min: 1900, max: 2200 }))
  .meta({ description: "When the flight leaves the blocks, or left them. By default now." });

/** What is asked about a flight, whoever flies what. */
export const clearanceOptions = {
  function: onBoard,
  at: at.optional(),
  minutes: integerQuery(1, 1440, 60, "The planned block time."),
  passengers: integerQuery(0, 999, 0, "Persons on board besides the crew."),
  night: booleanQuery("Whether a part of the flight is at night."),
};

export const ClearanceQuery = z
  .strictObject({ aircraft_id: idOf<"aircraft">(), person_id: idOf<"person">(), ...clearanceOptions })
  .refine(({ function: f, passengers }) => f !== "solo" || passengers === 0, {
    path: ["passengers"],
    error: issueCodes.solo_passengers,
  });
export type ClearanceQuery = z.infer<typeof ClearanceQuery>;

const missing = z.array(
  z.strictObject({
    what: z.string().meta({ description: "Landings, or a time in minutes.", examples: ["landings"] }),
    amount: z.int().meta({ examples: [2] }),
    by: dateField
      .nullable()
      .meta({ description: "The last day to fly it; null: before the flight.", examples: [null] }),
  }),
);

/** Of a rule that is met. */
const Recency = z
  .strictObject({
    rule,
    until: dateField.meta({ description: "The last day on which the rule is met without further flights." }),
    missing: missing.meta({ description: "What is missing from the next day on." }),
  })
  .meta({ id: "ClearanceRecency" });

const Reason = z
  .strictObject({
    rule,
    action: foundAction,
    subject: z
      .enum(["aircraft", "person", "payer"])
      .meta({ description: "`payer`: the person, as the one who pays.", examples: ["person"] }),
    message: z.string().meta({ examples: ["Expired: Medical certificate."] }),
    source,
    lifted_by: z.string().meta({
      description: "What would put it right.",
      examples: ["A record that is valid on 2026-07-01: Medical certificate."],
    }),
    needed: z
      .strictObject({
        any_of: z.array(z.string()).meta({ description: "Keys of types; one would do.", examples: [["insurance"]] }),
        levels: z.array(z.string()).meta({ description: "One of which it must have; empty: any.", examples: [[]] }),
        state: z.enum(["missing", "expired", "withdrawn"]).meta({ examples: ["missing"] }),
      })
      .nullable()
      .meta({
        description: "Of a rule about records: which would do, and what is the matter with the one that counts.",
      }),
    record_id: idOf<"record">()
      .nullable()
      .meta({ description: "The record that counts; null if there is none, or the caller may not see it." }),
    valid_until: dateField.nullable().meta({ description: "Of this record." }),
    missing: missing.meta({ description: "Flight experience that is missing." }),
  })
  .meta({ id: "ClearanceReason" });

export const decision = z.enum(["clear", "warn", "block"]).meta({ examples: ["block"] });

export const Clearance = z
  .strictObject({
    decision,
    aircraft: z.strictObject({ id: idOf<"aircraft">(), registration: z.string().meta({ examples: ["D-EABC"] }) }),
    person: z.strictObject({ id: idOf<"person">(), name: z.string().meta({ examples: ["Anna Berg"] }) }),
    function: onBoard,
    at: instantOut,
    reasons: z.array(Reason),
    recency: z.array(Recency).meta({
      description:
        "The rules about recent experience that apply to the flight and that the person meets. Those that are not met are among the reasons.",
    }),
  })
  .meta({ id: "Clearance" });
export type Clearance = z.infer<typeof Clearance>;
