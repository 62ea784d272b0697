/** The state of a session, as a bar, a table and the details show it: whether it can take place, too. */
import type { PlanningSession } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import type { Because } from "./rows.ts";
import { planningText } from "./words.ts";

const tones: Record<PlanningSession["status"], Tone> = {
  requested: "warn",
  planned: "neutral",
  checked_in: "info",
  completed: "good",
  cancelled: "neutral",
  no_show: "bad",
};

export const State = ({ session: { status } }: { session: Pick<PlanningSession, "status"> }) => (
  <Badge tone={tones[status]}>{text().today.sessions[status]}</Badge>
);

/** What is against a session in words; `undefined` if nothing is known. */
export function noGo(against: readonly Because[]): string | undefined {
  const words = planningText();
  return against.length === 0 ? undefined : words.noGo(against.map((one) => words.because[one]).join(", "));
}
