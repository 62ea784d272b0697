/** The columns of an imported list of past flights. */
import { z } from "zod";
import { dateField, text } from "../../../http/fields.ts";
import type { Columns } from "../../../http/import-table.ts";
import { byDefault, inputs, optionalInputs } from "../../../storage/columns.ts";
import { masterData } from "../../fleet/fleet.schemas.ts";
import { figures, mayBeUnknown, passengers } from "../flights.schemas.ts";

const people = z.array(text(254)).max(10);

/** A column for each function on board. Its cells name people. */
const crew = {
  ...{ pic: people, solo: people, spic: people, picus: people, co_pilot: people, dual: people, instructor: people },
};

const recorded = { ...mayBeUnknown, ...figures, passengers };
const { registration } = masterData;

const utcTime = z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/, "Must be a time of day in UTC, such as 08:30.");

/** The columns by which logbooks name times: the date of off-block, and times of day. */
const timesOfDay = { date: dateField, off_block: utcTime, take_off: utcTime, landing: utcTime, on_block: utcTime };

/** A line with its times as instants. */
export const FlightLine = z.strictObject(optionalInputs({ registration, ...recorded, ...crew }));
export type FlightLine = z.infer<typeof FlightLine>;

/** A line as the file has it. */
const LogbookLine = z.strictObject({ ...FlightLine.shape, ...optionalInputs(timesOfDay) });
export type LogbookLine = z.infer<typeof LogbookLine>;

/** A line that becomes a flight. */
export const NewFlightLine = z.strictObject({
  registration,
  ...byDefault(null, inputs(mayBeUnknown)),
  ...byDefault(0, { ...figures, passengers }),
  ...optionalInputs(crew),
});
export type NewFlightLine = z.infer<typeof NewFlightLine>;

export const flightColumns: Columns<LogbookLine> = {
  schema: LogbookLine,
  ignored: ["block_minutes", "airborne_minutes"],
};

export const exampleFlights = `registration,off_block_at,on_block_at,departure,arrival,day_landings,pic,nature
D-EABC,2025-05-03T08:30:00Z,2025-05-03T09:32:00Z,EDFE,EDKB,1,clara.vogt@example.com,private
`;
