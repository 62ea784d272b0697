/** The approved flights that a rule about recent experience may count. */
import { sql } from "drizzle-orm";
import { days, seconds, shift } from "../../../core/clock.ts";
import { dateIn, datesIn } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import type { HeldRecord } from "../../compliance/records/records.shapes.ts";
import { experienceRules } from "../../compliance/rules/rules.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { flightCrew, isLogged } from "../../flights/flights.tables.ts";
import type { CrewFunction, CrewMember } from "../../rules/crew.values.ts";
import { laplIssuedOn } from "../checks/lapl.ts";
import type { AircraftClass, FlownFlight, Use } from "./facts.shapes.ts";

interface Wanted {
  known: readonly { id: PersonId; records: readonly HeldRecord[] }[];
  crew: readonly CrewMember[];
  use: Use;
  time_zone: string;
}

/**
 * Returns the flights of the people for whom a rule counts any: before the flight, and recent enough. The others have no entry.
 *
 * @returns JSON that `flownIn` reads
 */
export async function storedFlown(
  reader: Reader<"tenant">,
  { known, crew, use, time_zone }: Wanted,
): Promise<ReadonlyMap<PersonId, string>> {
  const inCommand = crew.filter(({ function: f }) => f === "pic" || f === "instructor");
  const commanders = new Set(inCommand.map(({ person_id }) => person_id));
  const mayNeedLapl = known.filter(({ records }) => records.some(isLapl));
  const carrying = use.passengers > 0 ? known.filter(({ id }) => commanders.has(id)) : [];
  const ids = [...new Set([...mayNeedLapl, ...carrying].map(({ id }) => id))];
  if (ids.length === 0) return new Map();

  const on = dateIn(time_zone, new Date(use.at));
  const recent = on.subtract(experienceRules[mayNeedLapl.length > 0 ? "lapl_a" : "passengers"].within);
  // What the holder of an LAPL flew since its issue decides whether they may carry passengers.
  const issued = use.passengers > 0 ? mayNeedLapl.flatMap(({ records }) => laplIssuedOn(records) ?? []) : [];
  const starts = [recent, ...issued.map((day) => Temporal.PlainDate.from(day))];
  const first = starts.sort(Temporal.PlainDate.compare)[0] ?? recent;
  // Two days earlier, whatever the time zone and the length of a month are: the rules count by the date.
  const since = shift(new Date(first.toZonedDateTime("UTC").epochMilliseconds), -days(2));
  return new Map(await reader.rows(statement, { ids: JSON.stringify(ids), since, until: use.at }));
}

/** Returns what reads the JSON of a person's flights; without any, none. */
export function flownIn(time_zone: string) {
  const dateOf = datesIn(time_zone);
  const flight = ([f, offBlockAt, type, landings, night_landings, minutes]: Values): FlownFlight => {
    const on = dateOf(new Date(seconds(offBlockAt)));
    return { on, function: f, class: type, landings, night_landings, minutes };
  };
  return (json = "[]"): FlownFlight[] => (JSON.parse(json) as Values[]).map(flight);
}

const isLapl = ({ type, level }: HeldRecord) => type === "licence" && level === "lapl";

/** The second is when it went off blocks, in seconds: a number is read faster than a text. */
type Values = [CrewFunction, number, AircraftClass, number, number, number];

/**
 * The cross joins make SQLite read only the pages of the logbooks that may count; a query for each person needs no sort. A simulator's
 * sessions are no flights.
 */
const statement = sql<[PersonId, string]>`
  select wanted.value, (
    select json_group_array(json_array(${flightCrew.function}, unixepoch(${flightCrew.logged_at}), ${aircraft.class},
      ${flightCrew.day_landings} + ${flightCrew.night_landings}, ${flightCrew.night_landings},
      ${flightCrew.logged_minutes}))
    from ${flightCrew}
    cross join ${aircraft} on ${aircraft.id} = ${flightCrew.aircraft_id}
    where ${flightCrew.person_id} = wanted.value and ${isLogged} and ${aircraft.class} <> 'FSTD'
      and ${flightCrew.logged_at} >= ${sql.placeholder("since")} and ${flightCrew.logged_at} < ${sql.placeholder("until")})
  from json_each(${sql.placeholder("ids")}) as wanted`;
