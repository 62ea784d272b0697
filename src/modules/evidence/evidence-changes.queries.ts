import { type ChangeKind, ownSeenWith, seenWith } from "../../storage/change-kinds.ts";
import { ofPerson } from "../people/people-changes.queries.ts";
import { evidencePacks as packs } from "./evidence.tables.ts";

export const evidenceChanges: readonly ChangeKind[] = [
  {
    kind: "evidence_pack",
    seenBy: [
      ...seenWith("evidence:manage"),
      ownSeenWith(["evidence:own"], ofPerson({ table: packs, id: packs.id, person: packs.person_id })),
    ],
  },
  { kind: "signing_key", seenBy: seenWith("evidence:manage", "evidence:own") },
];
