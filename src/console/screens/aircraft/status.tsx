/** Whether an aircraft can fly, and why not. */
import type { Aircraft } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

export type Grounding = Aircraft["groundings"][number];

const tones: Record<Aircraft["status"], Tone> = { available: "good", grounded: "bad", archived: "neutral" };

interface StatusProps {
  aircraft: Pick<Aircraft, "status">;
  /** A work order is in progress. The status of an aircraft does not tell: it follows from what grounds it. */
  isInWork?: boolean;
  /** A work order that is not begun is against bookings. */
  isBlocked?: boolean;
}

export function AircraftStatus({ aircraft: { status }, isInWork = false, isBlocked = false }: StatusProps) {
  const { statuses, inMaintenance, notBookable } = text().aircraft;
  if (status === "available" && isBlocked && !isInWork) return <Badge tone="warn">{notBookable}</Badge>;
  return (
    <>
      {(status !== "available" || !isInWork) && <Badge tone={tones[status]}>{statuses[status]}</Badge>}
      {isInWork && status !== "archived" && <Badge tone="warn">{inMaintenance}</Badge>}
    </>
  );
}

/** The reason in its own words, without the kind that the server puts before it. */
export const reasonOf = ({ kind, note }: Pick<Grounding, "kind" | "note">): string =>
  kind === "defect" || kind === "maintenance" ? note.replace(/^(Defect|Overdue|The deferral has ended): /, "") : note;
