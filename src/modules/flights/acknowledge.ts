import { authorize, type MemberActor } from "../../core/actor.ts";
import { conflict } from "../../core/errors.ts";
import type { FlightFinding } from "../rules/findings.schemas.ts";

/**
 * Returns the findings, the blocking ones acknowledged by the approver.
 *
 * @throws CONFLICT a rule that blocks is not named; FORBIDDEN the approver may not acknowledge
 */
export function acknowledged(
  actor: MemberActor,
  findings: readonly FlightFinding[],
  named: readonly string[],
): FlightFinding[] {
  const blocking = [...new Set(findings.filter(isBlocking).map(({ rule }) => rule))];
  if (!blocking.every((rule) => named.includes(rule))) {
    const message = `The flight does not meet rules that block: ${blocking.join(", ")}. Put it right, or name each in \`acknowledge\`, which needs the permission flights:acknowledge.`;
    throw conflict("findings_not_acknowledged", message, { rules: blocking });
  }
  if (blocking.length > 0) authorize(actor, "flights:acknowledge");
  return findings.map((finding) => (isBlocking(finding) ? { ...finding, acknowledged_by: actor.userId } : finding));
}

const isBlocking = ({ action }: FlightFinding) => action === "block";
