/** The fields of logbooks, and the input of the routes. */
import { z } from "zod";
import { dateField, idOf, integer } from "../../http/fields.ts";
import { byCursor, fromAndTo, period } from "../../http/query.ts";
import { alsoPdf, cursorPage } from "../../http/responses.ts";
import { changeOf } from "../../storage/columns.ts";

const minutes = (description: string, example: number) =>
  integer(0, 99_999_999).meta({ description, examples: [example] });
const count = (description: string, example: number) =>
  integer(0, 9_999_999).meta({ description, examples: [example] });

/** The columns of a logbook that have totals (AMC1 FCL.050), in its order. */
export const sums = {
  single_pilot_se_minutes: minutes("Single-pilot, single-engine: aircraft of class SEP, TMG or SET.", 62),
  single_pilot_me_minutes: minutes("Single-pilot, multi-engine: aircraft of class MEP.", 0),
  multi_pilot_minutes: minutes("In a `multi_pilot` aircraft, or with a co-pilot or PICUS on board.", 0),
  total_minutes: minutes("Block time. Of sailplanes, helicopters and other classes, only this.", 62),
  day_landings: count("Landings by day that the person made.", 1),
  night_landings: count("Landings at night that the person made.", 0),
  night_minutes: minutes("Flight time at night.", 0),
  ifr_minutes: minutes("Flight time under IFR.", 0),
  pic_minutes: minutes("As pilot-in-command. Includes solo, SPIC, PICUS and instructor time.", 62),
  co_pilot_minutes: minutes("As co-pilot.", 0),
  dual_minutes: minutes("Under instruction.", 0),
  instructor_minutes: minutes("As instructor. Also counts as pilot-in-command.", 0),
  simulator_minutes: minutes("The length of simulator sessions, which is no flight time.", 0),
};
export type Sum = keyof typeof sums;

export const as_of = dateField
  .nullable()
  .meta({ description: "The last day that the totals include.", examples: ["2024-12-31"] });

export const LogbookTotals = z.strictObject(sums).meta({ id: "LogbookTotals" });

export const OpeningTotalsChange = changeOf("LogbookOpeningTotalsChange", { as_of, ...sums });
export type OpeningTotalsChange = z.infer<typeof OpeningTotalsChange>;

/** The columns of a journey log that have totals. */
export const journeySums = {
  block_minutes: minutes("Block time.", 62),
  airborne_minutes: minutes("From take-off to landing, where both are recorded.", 43),
  day_landings: count("Landings by day.", 1),
  night_landings: count("Landings by night.", 0),
  airframe_minutes: z.int().meta({
    description:
      "Flight time of the airframe: airborne time, or block time where take-off and landing are not recorded. A simulator has none. In totals: of the airframe's whole life.",
    examples: [43],
  }),
  airframe_landings: z.int().meta({
    description: "Landings by day and by night. In totals: of the airframe's whole life.",
    examples: [1],
  }),
};

export type JourneySum = keyof typeof journeySums;

export const airframe = {
  airframe_total_minutes: z.int().meta({
    description: "The flight time of the airframe after this flight. The last flight's is that of the aircraft.",
    examples: [74_113],
  }),
};

export const JourneyTotals = z.strictObject(journeySums).meta({ id: "JourneyLogTotals" });

/** A page of a log, with totals; or all of it as CSV or PDF. */
export const logPage = <Totals extends z.ZodType, Row extends z.ZodType>(totals: Totals, row: Row) =>
  alsoPdf(
    z.strictObject({
      brought_forward: totals.meta({ description: "Totals before the first row of the page, of all time." }),
      page_totals: totals.meta({ description: "Totals of the page." }),
      to_date: totals.meta({ description: "The sum of both." }),
      ...cursorPage(row).shape,
    }),
  );

export const LogQuery = period(z.strictObject({ ...byCursor, ...fromAndTo }));
export type LogQuery = z.infer<typeof LogQuery>;
export type LogPeriod = Pick<LogQuery, "from" | "to">;

export const PersonRef = z.object({ orgId: idOf<"organization">(), personId: idOf<"person">() });
export const AircraftRef = z.object({ orgId: idOf<"organization">(), aircraftId: idOf<"aircraft">() });
