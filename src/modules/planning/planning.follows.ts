import { sql } from "drizzle-orm";
import { touching } from "../../storage/changes.ts";
import { answer, type Follower, on, onPrepared } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { aircraftRenamed } from "../fleet/fleet.occasions.ts";
import { afterApproval } from "../flights/flights.occasions.ts";
import { bookedUse } from "../maintenance/maintenance.occasions.ts";
import { personRenamed } from "../people/people.occasions.ts";
import { mayShare } from "../sharing/sharing.occasions.ts";
import { supervisedFlights } from "../training/training.occasions.ts";
import { bookedUseOf } from "./booked-use.queries.ts";
import { requireCalendar } from "./calendars/calendars.queries.ts";
import { planningResources, planningSessions } from "./planning.tables.ts";
import { checkedInFor, completeCheckedIn } from "./sessions/complete-session-of.ts";
import { sessionEntity } from "./sessions/sessions.queries.ts";
import { supervisedBy } from "./sessions/supervised.queries.ts";

/** Sessions show the names of what they take up. */
export const touchSessionsOf = (tx: Tx<"tenant">, id: string): Promise<void> => touchSessions(tx, { id });

const touchSessions = touching(
  sessionEntity,
  sql`${planningSessions.id} in (select ${planningResources.session_id} from ${planningResources}
    where ${planningResources.resource_id} = ${sql.placeholder("id")})`,
);

export const planningFollows: readonly Follower[] = [
  on(personRenamed, (tx, { id }) => touchSessionsOf(tx, id)),
  on(aircraftRenamed, (tx, { id }) => touchSessionsOf(tx, id)),
  onPrepared(
    afterApproval,
    (reader, { flight }) => checkedInFor(reader, { flightId: flight.id }),
    (tx, { by }, session) => completeCheckedIn(tx, by, session),
  ),
  answer(bookedUse, bookedUseOf),
  answer(mayShare, async (reader, { purpose, id, actor }) => {
    if (purpose === "calendar") await requireCalendar(reader, id, actor);
  }),
  answer(supervisedFlights, supervisedBy),
];
