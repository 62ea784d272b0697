/** What a pack is called, and how far it is. */
import type { EvidencePack } from "../../api/operations.ts";
import { formatDay } from "../../app/format.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { evidenceText } from "./words.ts";

export function titleOf({ type, as_of, person_name }: Pick<EvidencePack, "type" | "as_of" | "person_name">): string {
  const words = evidenceText();
  if (type === "pilot_portable") return person_name ?? words.erasedPerson;
  return as_of === null ? words.types.compliance_pack : words.school(formatDay(as_of));
}

const tones: Record<EvidencePack["status"], Tone> = { generating: "info", ready: "good", failed: "bad" };

export function PackStatus({ pack }: { pack: EvidencePack }) {
  const words = evidenceText();
  if (pack.content_removed_at !== null) return <Badge tone="neutral">{words.removed}</Badge>;
  if (pack.superseded_by !== null) return <Badge tone="neutral">{words.superseded}</Badge>;
  return <Badge tone={tones[pack.status]}>{words.statuses[pack.status]}</Badge>;
}
