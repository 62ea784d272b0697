import { type MemberActor, permits } from "../../../core/actor.ts";
import type { Reader } from "../../../storage/store.ts";
import { seesAllFindings } from "../../rules/who-sees-findings.ts";
import { type Finding, found, type Interval } from "../rules/booking.ts";
import { ownPerson } from "./sessions.queries.ts";

/** What members see of a finding. */
export type ShownFinding = Omit<Finding, "to_others">;

/**
 * Returns the findings as the caller may see them. What is missing about a person is for themself, and for members who may see
 * records and medicals; others learn once for each person that something is. Members without `planning:read` learn about all
 * others only that somebody is not ready.
 */
export async function shownTo(
  reader: Reader<"tenant">,
  actor: MemberActor,
  booking: Interval,
  findings: readonly Finding[],
): Promise<ShownFinding[]> {
  const seesPlanning = permits(actor, "planning:read");
  if (seesPlanning && seesAllFindings(actor)) return findings.map(inFull);
  const own = await ownPerson(reader, actor);
  const isOther = ({ resource, to_others }: Finding) =>
    resource === null
      ? to_others !== undefined
      : (resource.type === "instructor" || resource.type === "student") && resource.id !== own;
  if (seesPlanning) return folded(findings.map((one) => (isOther(one) ? forOthers(one) : inFull(one))));
  const hidden = findings.filter(isOther);
  const worst = hidden.find(({ action }) => action === "block") ?? hidden[0];
  const message = "Another person who takes part is not ready, or not available.";
  return [
    ...findings.filter((one) => !isOther(one)).map(inFull),
    ...(worst ? [inFull(found(booking, { rule: "person", action: worst.action, message }))] : []),
  ];
}

const inFull = ({ to_others: _, ...finding }: Finding): ShownFinding => finding;
const forOthers = ({ to_others, ...finding }: Finding): ShownFinding => ({ ...finding, ...to_others });

/** Returns findings that read the same once, with the strictest action: their number would tell how much is missing. */
function folded(findings: readonly ShownFinding[]): ShownFinding[] {
  const once = new Map<string, ShownFinding>();
  for (const finding of findings) {
    const { action, ...said } = finding;
    const key = JSON.stringify(said);
    if (action === "block" || !once.has(key)) once.set(key, finding);
  }
  return [...once.values()];
}
