/** Whether an aircraft can fly, and why not. */
import type { Aircraft } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

export type Grounding = Aircraft["groundings"][number];

const tones: Record<Aircraft["status"], Tone> = { available: "good", grounded: "bad", archived: "neutral" };

export const AircraftStatus = ({ aircraft: { status } }: { aircraft: Pick<Aircraft, "status"> }) => (
  <Badge tone={tones[status]}>{text().aircraft.statuses[status]}</Badge>
);

/** The reason in its own words, without the kind that the server puts before it. */
export const reasonOf = ({ kind, note }: Grounding): string =>
  kind === "defect" || kind === "maintenance" ? note.replace(/^(Defect|Overdue|The deferral has ended): /, "") : note;
