import { sql } from "drizzle-orm";
import { type ChangeKind, isChanged, ownSeenWith } from "../../storage/change-kinds.ts";
import { people } from "../people/people.tables.ts";

const own = sql<[string, NonNullable<typeof people.user_id._.data>, null]>`
  select ${people.id}, ${people.user_id}, null from ${people}
  where ${isChanged(people.id)} and ${people.user_id} is not null`;

export const logbookChanges: readonly ChangeKind[] = [
  {
    // Its id is that of the person.
    kind: "logbook_opening_totals",
    seenBy: [
      { needs: ["people:read", "flights:read"] },
      ownSeenWith(["people:read"], own),
      ownSeenWith(["people:read_own"], own),
    ],
  },
];
