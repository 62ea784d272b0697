/** Flights that a line of an import may describe, or contradict. */
import { getTableColumns, sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import { lookUp } from "../../../storage/lookup.ts";
import { nullAsEmpty } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { accountOf, identitiesOf, isSame } from "../../people/identity.queries.ts";
import type { CrewMember } from "../../rules/crew.values.ts";
import { flights } from "../flights.tables.ts";

const offBlockAt = nullAsEmpty(flights.off_block_at);
const mark = sql.placeholder;

/**
 * Returns the flight of an aircraft that began at an instant: the one that counts or is to be approved, else one that was
 * reversed. Drafts and rejected flights may change.
 */
export const flightAt = lookUp(
  getTableColumns(flights),
  sql`from ${flights} where ${flights.aircraft_id} = ${mark("aircraft_id")} and ${offBlockAt} = ${mark("off_block_at")}
    and ${flights.status} in ('submitted', 'approved', 'reversed')
    order by ${flights.status} = 'reversed', ${flights.id} desc limit 1`,
);

/** Returns whether the member is among the people, by an account or e-mail address that they have or ever had. */
export async function isOnBoard(
  reader: Reader<"tenant">,
  member: MemberActor,
  crew: readonly CrewMember[],
): Promise<boolean> {
  const identities = await identitiesOf(
    reader,
    crew.map(({ person_id }) => person_id),
  );
  return identities.some((identity) => isSame(accountOf(member), identity));
}
