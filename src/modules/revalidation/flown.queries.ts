/** What people flew in the time that any revalidation may count. */
import { sql } from "drizzle-orm";
import { days, type Instant, shift } from "../../core/clock.ts";
import { dateIn } from "../../core/dates.ts";
import type { PersonId } from "../../core/ids.ts";
import type { Reader } from "../../storage/store.ts";
import { timeZoneOf } from "../../storage/today.ts";
import { instructorRevalidation } from "../compliance/rules/rules.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { flightCrew, isLogged } from "../flights/flights.tables.ts";
import type { CrewFunction } from "../rules/crew.values.ts";
import { peopleWithRecords } from "../training/people-with-records.queries.ts";
import { type Pilot, type Revalidation, revalidationsOf } from "./assess.ts";

type Row = [PersonId, CrewFunction, Instant, Pilot["flown"][number]["class"], number, number];

/** By the logbooks' index. A simulator's sessions are no flights. */
const statement = sql`
  select json_group_array(json_array(
    ${flightCrew.person_id}, ${flightCrew.function}, ${flightCrew.logged_at}, ${aircraft.class},
    ${flightCrew.day_landings} + ${flightCrew.night_landings},
    ${flightCrew.logged_minutes}))
  from json_each(${sql.placeholder("ids")}) as wanted
  cross join ${flightCrew} on ${flightCrew.person_id} = wanted.value and ${isLogged}
    and ${flightCrew.logged_at} >= ${sql.placeholder("since")}
  cross join ${aircraft} on ${aircraft.id} = ${flightCrew.aircraft_id}
  where ${aircraft.class} <> 'FSTD'`;

export interface Assessed {
  id: PersonId;
  name: string;
  items: Revalidation[];
}

/** Returns what some people lack on a day, in the order of the ids. Of few: what they flew is read at once. */
export async function assessed(
  reader: Reader<"tenant">,
  ids: readonly PersonId[],
  on: Temporal.PlainDate,
): Promise<Assessed[]> {
  const [known, time_zone] = [await peopleWithRecords(reader, ids), await timeZoneOf(reader)];
  // The longest time that counts: a certificate that ends with a month began in it. Two days earlier, whatever the time zone is.
  const first = on.subtract(instructorRevalidation.within).with({ day: 1 });
  const since = shift(new Date(first.toZonedDateTime("UTC").epochMilliseconds), -days(2));
  const row = await reader.first(statement, { ids: JSON.stringify(ids), since });
  const flown = Map.groupBy(JSON.parse(String(row?.[0])) as Row[], ([id]) => id);
  return ids.flatMap((id) => {
    const person = known.find((one) => one.id === id);
    if (person === undefined) return [];
    const own = (flown.get(id) ?? []).map(([, f, at, type, landings, minutes]) => ({
      ...{ on: dateIn(time_zone, new Date(at)), function: f, class: type, landings, minutes },
    }));
    return { id, name: person.name, items: revalidationsOf({ ...person, flown: own }, on) };
  });
}
