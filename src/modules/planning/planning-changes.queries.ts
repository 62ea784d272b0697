import { sql } from "drizzle-orm";
import { type ChangeKind, isChanged, isRowOfChange, ownSeenWith, seenWith } from "../../storage/change-kinds.ts";
import { auditLog } from "../../storage/shared.tables.ts";
import { people } from "../people/people.tables.ts";
import { ofPerson } from "../people/people-changes.queries.ts";
import { planningResources, planningWishes as wishes } from "./planning.tables.ts";

const ofAll = seenWith("planning:read", "planning:read_own");

export const planningChanges: readonly ChangeKind[] = [
  {
    kind: "planning_session",
    seenBy: [
      ...seenWith("planning:read"),
      ownSeenWith(
        ["planning:read_own"],
        sql`select ${planningResources.session_id}, ${people.user_id}, null
          from ${planningResources} cross join ${people} on ${people.id} = ${planningResources.resource_id}
          where ${isChanged(planningResources.session_id)}`,
        // Who was booked before.
        sql`select ${auditLog.subject_id}, ${people.user_id}, null
          from ${auditLog} cross join json_each(${auditLog.payload}, '$.before.resources') as resource
          cross join ${people} on ${people.id} = resource.value ->> 'id'
          where ${isRowOfChange(auditLog.seq)}`,
      ),
    ],
  },
  {
    kind: "planning_wish",
    seenBy: [
      ...seenWith("planning:read"),
      ownSeenWith(["planning:read_own"], ofPerson({ table: wishes, id: wishes.id, person: wishes.person_id })),
    ],
  },
  { kind: "planning_room", seenBy: ofAll },
  { kind: "planning_settings", seenBy: ofAll },
  { kind: "planning_hours", seenBy: seenWith("planning:read") },
  { kind: "planning_absence", seenBy: seenWith("planning:read") },
];
