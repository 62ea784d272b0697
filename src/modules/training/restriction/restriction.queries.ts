import { sql } from "drizzle-orm";
import { type MemberActor, permits } from "../../../core/actor.ts";
import { notFound } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { aeroplaneClasses, restrictedInstructorRule } from "../../compliance/rules/rules.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { publicFlight } from "../../flights/flights.shapes.ts";
import { flightCrew, flights } from "../../flights/flights.tables.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { trainingSignoffs as signoffs } from "../training.tables.ts";
import type { Restriction } from "./restriction.schemas.ts";

type TenantReader = Reader<"tenant">;

const instructor = sql.placeholder("instructor");

/** Approved, in an aeroplane or a touring motor glider. An imported flight is approved. */
const counts = sql`${flights.status} = 'approved' and ${flights.nature} is not 'simulator' and exists (
  select 1 from ${aircraft} where ${aircraft.id} = ${flights.aircraft_id} and ${aircraft.class} in ${aeroplaneClasses})`;

/** The flight names its supervisor. Of one that was imported, the signoffs with it say who it was. */
const statement = sql`select
  (select cast(total(${publicFlight.fields.block_minutes.value}) as integer) from ${flightCrew}
    cross join ${flights} on ${flights.id} = ${flightCrew.flight_id}
    where ${flightCrew.person_id} = ${instructor} and ${flightCrew.function} = 'instructor' and ${counts}),
  (select count(*) from (
      select ${signoffs.flight_id} as id from ${signoffs}
      where ${signoffs.instructor_id} = ${instructor} and ${signoffs.flight_id} is not null and ${signoffs.status} = 'recorded'
      union select ${flights.id} from ${flights} where ${flights.supervisor_id} = ${instructor}) as supervised
    cross join ${flights} on ${flights.id} = supervised.id
    where ${counts} and exists (select 1 from ${flightCrew} where ${flightCrew.flight_id} = ${flights.id}
      and ${flightCrew.function} = 'solo' and ${flightCrew.person_id} <> ${instructor}))`;

/** @throws NOT_FOUND no such person, or the actor may not see them */
export async function findRestriction(reader: TenantReader, id: PersonId, actor: MemberActor): Promise<Restriction> {
  const person = await findPersonRow(reader, id);
  const isSeen = person?.user_id === actor.userId || permits(actor, "training:read");
  if (person === undefined || !isSeen) throw notFound();
  const row = await reader.first(statement, { instructor: id });
  const { instruction_minutes, supervised_solos, source } = restrictedInstructorRule;
  const part = (required: number, found: unknown) => {
    const done = Number(found);
    return { required, done, missing: Math.max(0, required - done) };
  };
  const [instructed, supervised] = [part(instruction_minutes, row?.[0]), part(supervised_solos, row?.[1])];
  const supervisor = person.supervisor_id === null ? undefined : await findPersonRow(reader, person.supervisor_id);
  return {
    person_id: id,
    person_name: person.name,
    restricted: person.restricted_instructor,
    supervisor: supervisor === undefined ? null : { id: supervisor.id, name: supervisor.name },
    instruction_minutes: instructed,
    supervised_solos: supervised,
    fulfilled: instructed.missing === 0 && supervised.missing === 0,
    legal_basis: `${source.article}, ${source.regulation}`,
  };
}
