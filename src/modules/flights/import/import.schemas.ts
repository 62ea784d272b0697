/** The columns of an imported list of past flights. */
import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import type { ImportLine } from "../../../core/imports.ts";
import { dateField, idOf, text } from "../../../http/fields.ts";
import type { Columns } from "../../../http/import-table.ts";
import { columnsIn } from "../../../http/list-page.ts";
import { byDefault, inputs, optionalInputs } from "../../../storage/columns.ts";
import { masterData } from "../../fleet/fleet.schemas.ts";
import { crewFunctions } from "../../rules/crew.values.ts";
import { crewLandings, figures, mayBeUnknown, passengers } from "../flights.schemas.ts";
import { flight } from "../flights.shapes.ts";

const people = z.array(text(254)).max(10);

/** A column for each function on board. Its cells name people. */
const crew = {
  pic: people,
  solo: people,
  spic: people,
  picus: people,
  co_pilot: people,
  dual: people,
  instructor: people,
};

const own = crewLandings.day_landings.unwrap().meta({
  description: "Landings that the only person in the column of this function made. Those of the others are by default.",
  examples: [1],
});
/** The landings of those who make none by default. */
const landings = {
  instructor_day_landings: own,
  instructor_night_landings: own,
  co_pilot_day_landings: own,
  co_pilot_night_landings: own,
  picus_day_landings: own,
  picus_night_landings: own,
};

const recorded = { ...mayBeUnknown, ...figures, passengers };
const { registration } = masterData;

const utcTime = z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/, formats.utc_time);

/** The columns by which logbooks name times: the date of off-block, and times of day. */
const timesOfDay = { date: dateField, off_block: utcTime, take_off: utcTime, landing: utcTime, on_block: utcTime };

const ListedCrew = z
  .array(
    z.strictObject({
      person_id: idOf<"person">(),
      name: z.string(),
      function: z.enum(crewFunctions),
      ...byDefault(null, crewLandings),
    }),
  )
  .max(10);

/** Longer than the crew of any flight. */
const MAX_LISTED_CREW = 10_000;

/** The cell of the crew in the list of flights as CSV: JSON. */
const listedCrew = z.string().transform((text, { addIssue }) => {
  const { data } = ListedCrew.safeParse(text.length > MAX_LISTED_CREW ? undefined : jsonOf(text));
  if (data !== undefined) return data;
  addIssue({ code: "custom", message: formats.crew });
  return z.NEVER;
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A line with its times as instants. */
export const FlightLine = z.strictObject({
  ...optionalInputs({ registration, ...recorded, ...crew, ...landings }),
  crew: listedCrew.exactOptional(),
});
export type FlightLine = z.infer<typeof FlightLine>;

/** The columns of the list of flights as CSV that the import reads by another name, or not at all. */
const listed = {
  "aircraft.registration": registration,
  status: z.literal("approved", { error: "Only approved flights are imported. Filter the list by status=approved." }),
};

/** A line as the file has it. */
const FileLine = z.strictObject({ ...FlightLine.shape, ...optionalInputs({ ...timesOfDay, ...listed }) });
export type FileLine = z.infer<typeof FileLine>;

/** A line with times of day. */
export type LogbookLine = Omit<FileLine, keyof typeof listed>;

/** Reads the columns of the list of flights. */
export function withoutListed({ given, raw, faulty, line }: ImportLine<FileLine>): ImportLine<LogbookLine> {
  const { "aircraft.registration": registration, status: _, ...others } = given;
  const { "aircraft.registration": asText, status: __, ...texts } = raw;
  return {
    line,
    given: { ...(registration !== undefined && { registration }), ...others },
    raw: { ...(asText !== undefined && { registration: asText }), ...texts },
    faulty: faulty.map((name) => (name === "aircraft.registration" ? "registration" : name)),
  };
}

/** A line that becomes a flight. */
export const NewFlightLine = z.strictObject({
  registration,
  ...byDefault(null, inputs(mayBeUnknown)),
  ...byDefault(0, { ...figures, passengers }),
  ...optionalInputs({ ...crew, ...landings }),
  crew: listedCrew.exactOptional(),
});
export type NewFlightLine = z.infer<typeof NewFlightLine>;

/** Returns the line without the columns of its crew. */
export function withoutCrew({ crew: _, ...line }: NewFlightLine) {
  const { pic, solo, spic, picus, co_pilot, dual, instructor, ...others } = line;
  const { instructor_day_landings, co_pilot_day_landings, picus_day_landings, ...byNight } = others;
  const { instructor_night_landings, co_pilot_night_landings, picus_night_landings, ...figures } = byNight;
  return figures;
}

export const flightColumns: Columns<FileLine> = {
  schema: FileLine,
  ignored: columnsIn(flight.schema)
    .map((path) => path.join("."))
    .filter((name) => !(name in FileLine.shape)),
};

export const exampleFlights = `registration,off_block_at,on_block_at,departure,arrival,day_landings,pic,nature
D-EABC,2025-05-03T08:30:00Z,2025-05-03T09:32:00Z,EDFE,EDKB,1,clara.vogt@example.com,private
`;
