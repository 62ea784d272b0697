import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { UserId } from "../../core/ids.ts";
import { type ChangeKind, isChanged, isRowOfChange, ownSeenWith, seenWith } from "../../storage/change-kinds.ts";
import { auditLog } from "../../storage/shared.tables.ts";
import { people } from "./people.tables.ts";

/** Selects the records that changed with the account of the person whom each is about. */
export const ofPerson = (
  { table, id, person }: { table: SQLiteTable; id: SQLiteColumn; person: SQLWrapper },
  where: SQL = sql`true`,
): SQL<[string, UserId | null, null]> =>
  sql`select ${id}, ${people.user_id}, null from ${table} cross join ${people} on ${people.id} = ${person}
    where ${isChanged(id)} and ${people.user_id} is not null and ${where}`;

export const peopleChanges: readonly ChangeKind[] = [
  {
    kind: "person",
    seenBy: [
      ...seenWith("people:read"),
      ownSeenWith(
        ["people:read_own"],
        sql`select ${people.id}, ${people.user_id}, null from ${people} where ${isChanged(people.id)}`,
        sql`select ${auditLog.subject_id}, ${auditLog.payload} ->> '$.before.user_id', null
          from ${auditLog} where ${isRowOfChange(auditLog.seq)}`,
      ),
    ],
  },
];
