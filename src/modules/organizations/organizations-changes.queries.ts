import { sql } from "drizzle-orm";
import { type ChangeKind, ownSeenWith, seenWith } from "../../storage/change-kinds.ts";

export const organizationChanges: readonly ChangeKind[] = [
  { kind: "organization", seenBy: seenWith("organization:read") },
  {
    // Its id is that of the account: who gets other roles learns it, and asks anew what they may do.
    kind: "member",
    seenBy: [
      ...seenWith("members:read"),
      ownSeenWith(["organization:read"], sql`select value, value, null from json_each(${sql.placeholder("ids")})`),
    ],
  },
  { kind: "invite", seenBy: seenWith("members:manage") },
];
