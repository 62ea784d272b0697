import { sql } from "drizzle-orm";
import { type ChangeKind, isChanged, ownSeenWith, someSeenWith } from "../../storage/change-kinds.ts";
import { complianceRecords as records } from "../compliance/compliance.tables.ts";
import { ofPerson } from "../people/people-changes.queries.ts";
import { attachments as table } from "./attachments.tables.ts";

const ofRecord = sql`${table} cross join ${records} on ${records.id} = ${table.record_id} where ${isChanged(table.id)}`;
const ofDefects = sql<
  [string]
>`select ${table.id} from ${table} where ${isChanged(table.id)} and ${table.defect_id} is not null`;
const ofWorkOrders = sql<[string]>`select ${table.id} from ${table}
  where ${isChanged(table.id)} and ${table.work_order_id} is not null`;

/** Who sees the record, the work order or the defect sees its attachments (`subjects.ts`). One that was deleted is told to nobody. */
export const attachmentChanges: readonly ChangeKind[] = [
  {
    kind: "attachment",
    seenBy: [
      someSeenWith(["maintenance:read"], ofWorkOrders),
      someSeenWith(["maintenance:read"], ofDefects),
      someSeenWith(["defects:report"], ofDefects),
      someSeenWith(["compliance:read", "medicals:read"], sql`select ${table.id} from ${ofRecord}`),
      someSeenWith(["compliance:read"], sql`select ${table.id} from ${ofRecord} and ${records.type} <> 'medical'`),
      someSeenWith(
        ["compliance:read_aircraft"],
        sql`select ${table.id} from ${ofRecord} and ${records.aircraft_id} is not null`,
      ),
      ownSeenWith(
        ["compliance:read_own"],
        ofPerson({
          table,
          id: table.id,
          person: sql`(select ${records.person_id} from ${records} where ${records.id} = ${table.record_id})`,
        }),
      ),
    ],
  },
];
