/** What a clearance decides, and how it is worded wherever it is shown. */
import type { Clearance } from "../../api/operations.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import type { Tone } from "../../ui/badge.tsx";

export type Decision = Clearance["decision"];
export type Reason = Clearance["reasons"][number];

export const tones: Record<Decision, Tone> = { clear: "good", warn: "warn", block: "bad" };

export function decisionOf(reasons: readonly Pick<Reason, "action">[]): Decision {
  if (reasons.some(({ action }) => action === "block")) return "block";
  return reasons.length > 0 ? "warn" : "clear";
}

/** Who supervises a solo flight is said when it is booked. It says nothing about who can fly. */
export const isAboutStanding = ({ rule }: Pick<Reason, "rule">): boolean => rule !== "solo_supervision";

/** Of a rule about records: which one lacks, and since when. */
export function sentenceOf(
  { rule, needed, valid_until }: Reason,
  nameOfTypes: (keys: readonly string[]) => string,
): string {
  const { flights: words } = text();
  if (needed === null) return words.rules[rule];
  const day = needed.state === "expired" && valid_until !== null ? formatDay(valid_until) : undefined;
  return words.lacking[needed.state](nameOfTypes(needed.any_of), day);
}
