import { sql } from "drizzle-orm";
import { type ChangeKind, isChanged, ownSeenWith, seenWith, someSeenWith } from "../../storage/change-kinds.ts";
import { ofPerson } from "../people/people-changes.queries.ts";
import { complianceRecords as table } from "./compliance.tables.ts";

const rules = seenWith("compliance:read", "compliance:read_own", "compliance:read_aircraft");

export const complianceChanges: readonly ChangeKind[] = [
  { kind: "compliance_type", seenBy: rules },
  { kind: "compliance_requirement", seenBy: rules },
  {
    // As `visibleTo` of the records: medicals are health data.
    kind: "compliance_record",
    seenBy: [
      { needs: ["compliance:read", "medicals:read"] },
      someSeenWith(
        ["compliance:read"],
        sql`select ${table.id} from ${table} where ${isChanged(table.id)} and ${table.type} <> 'medical'`,
      ),
      someSeenWith(
        ["compliance:read_aircraft"],
        sql`select ${table.id} from ${table} where ${isChanged(table.id)} and ${table.aircraft_id} is not null`,
      ),
      ownSeenWith(["compliance:read_own"], ofPerson({ table, id: table.id, person: table.person_id })),
    ],
  },
];
