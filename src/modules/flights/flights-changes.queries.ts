import { sql } from "drizzle-orm";
import type { UserId } from "../../core/ids.ts";
import {
  type ChangeKind,
  isChanged,
  isRowOfChange,
  moving,
  ownSeenWith,
  seenWith,
} from "../../storage/change-kinds.ts";
import { auditLog } from "../../storage/shared.tables.ts";
import { people } from "../people/people.tables.ts";
import { flightCrew, flights } from "./flights.tables.ts";

/** As `ownFlights`: whoever drafted a flight or is in its crew, by the account or by the e-mail address. */
const own = sql<[string, UserId | null, string | null]>`
  select ${flights.id}, ${flights.created_by}, null from ${flights} where ${isChanged(flights.id)}
  union all
  select ${flightCrew.flight_id}, ${people.user_id}, ${people.email}
  from ${flightCrew} cross join ${people} on ${people.id} = ${flightCrew.person_id}
  where ${isChanged(flightCrew.flight_id)}`;

/** Who was in the crew before. */
const ownBefore = sql<[string, UserId | null, string | null]>`
  select ${auditLog.subject_id}, ${people.user_id}, ${people.email}
  from ${auditLog} cross join json_each(${auditLog.payload}, '$.before.crew') as member
  cross join ${people} on ${people.id} = member.value ->> 'person_id'
  where ${isRowOfChange(auditLog.seq)}`;

/** An approval and a reversal move the counters of the aircraft. */
const moved = sql<[string, string]>`select ${flights.id}, ${flights.aircraft_id} from ${flights}
  where ${isChanged(flights.id)} and ${flights.status} in ('approved', 'reversed')`;

export const flightChanges: readonly ChangeKind[] = [
  {
    kind: "flight",
    seenBy: [...seenWith("flights:read"), ownSeenWith(["flights:read_own"], own, ownBefore)],
    moves: moving("aircraft", moved),
  },
];
