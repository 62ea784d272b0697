import { sql } from "drizzle-orm";
import { type ChangeKind, isChanged, ownSeenWith, seenWith } from "../../storage/change-kinds.ts";
import { shareTokens as table } from "./sharing.tables.ts";

export const sharingChanges: readonly ChangeKind[] = [
  {
    kind: "share_token",
    seenBy: [
      ...seenWith("sharing:manage"),
      ownSeenWith(
        ["organization:read"],
        sql`select ${table.id}, ${table.created_by}, null from ${table} where ${isChanged(table.id)}`,
      ),
    ],
  },
];
