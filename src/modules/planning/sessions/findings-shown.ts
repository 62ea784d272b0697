import { type MemberActor, permits } from "../../../core/actor.ts";
import type { Reader } from "../../../storage/store.ts";
import { type Finding, found, type Interval } from "../rules/booking.ts";
import { ownPerson } from "./sessions.queries.ts";

/**
 * Returns the findings as the caller may see them. Medicals are health data: the caller learns that something is missing, and
 * about others not what. Members without `planning:read` learn about all others only that somebody is not ready.
 */
export async function shownTo(
  reader: Reader<"tenant">,
  actor: MemberActor,
  booking: Interval,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const seesPlanning = permits(actor, "planning:read");
  if (seesPlanning && permits(actor, "medicals:read")) return [...findings];
  const own = await ownPerson(reader, actor);
  const isOther = ({ resource }: Finding) =>
    (resource?.type === "instructor" || resource?.type === "student") && resource.id !== own;
  const rule = "person";
  if (seesPlanning)
    return findings.map((one) =>
      one.health && isOther(one) ? { ...one, rule, message: "The person is not clear to fly." } : one,
    );
  const hidden = findings.filter(isOther);
  const worst = hidden.find(({ action }) => action === "block") ?? hidden[0];
  const message = "Another person who takes part is not ready, or not available.";
  return [
    ...findings.filter((one) => !isOther(one)),
    ...(worst ? [found(booking, { rule, action: worst.action, message })] : []),
  ];
}
