import { eq, sql } from "drizzle-orm";
import { authorize, type MemberActor } from "../../core/actor.ts";
import type { PersonId } from "../../core/ids.ts";
import type { Ledger } from "../../storage/ledger.ts";
import { resourceBy } from "../../storage/shape.ts";
import type { Reader, Tenant } from "../../storage/store.ts";
import { plus, START, startOf } from "../../storage/totals.ts";
import { flightCrew, isLogged } from "../flights/flights.tables.ts";
import { findPerson } from "../people/people.queries.ts";
import type { Person } from "../people/people.shapes.ts";
import { people } from "../people/people.tables.ts";
import { logReads } from "./log-reads.ts";
import { type LogbookEntry, logbookEntry, loggedFlights, openingTotals, sumColumns } from "./logbook.shapes.ts";
import { LogbookTotals, type LogPeriod, type Sum } from "./logbooks.schemas.ts";
import { logbookOpenings } from "./logbooks.tables.ts";

type TenantReader = Reader<"tenant">;

/** @throws NOT_FOUND no such person, or the actor may not see them; FORBIDDEN it is neither the actor nor may they read flights */
export async function personWithLogbook(reader: TenantReader, id: PersonId, actor: MemberActor): Promise<Person> {
  const { value: person } = await findPerson(reader, id, actor);
  if (person.user_id !== actor.userId) authorize(actor, "flights:read");
  return person;
}

/** Returns zeros if nothing was entered. Does not check the actor. */
export const findOpeningTotals = (reader: TenantReader, id: PersonId) => openingOf(reader, { id });

const openingOf = resourceBy(openingTotals, {
  from: sql`${people} left join ${logbookOpenings} on ${logbookOpenings.id} = ${people.id}`,
  where: eq(people.id, sql.placeholder("id")),
});

/** Does not check the actor. */
export const logbookReads = logReads(logbookEntry, sumColumns, {
  from: loggedFlights,
  isOf: (personId) => sql`${flightCrew.person_id} = ${personId} and ${isLogged}`,
  at: flightCrew.logged_at,
  id: flightCrew.flight_id,
});

/** A person's logbook. Does not check the actor. */
export const logbookOf = (
  tenant: Pick<Tenant, "read">,
  person_id: PersonId,
  { from, to }: LogPeriod,
): Ledger<Sum, LogbookEntry> => ({
  rows: (reader, page) => logbookReads.rows(reader, { ...page, subject: person_id, from, to }),
  count: () => logbookReads.count(tenant, person_id, { from, to }),
  start: startOf({ from }),
  async before(place) {
    const opening = await tenant.read((reader) => findOpeningTotals(reader, person_id));
    const { totals } = await logbookReads.sum(tenant, person_id, [START, place]);
    return plus(LogbookTotals.strip().parse(opening.value), totals);
  },
});
