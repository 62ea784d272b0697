/** Where a student stands by the plan, in words, colour and shape; and what of it comes first in a list. */
import type { Enrollment, StudentProgress, TrainingPace } from "../../api/operations.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { trainingText } from "./words.ts";

export const enrollmentTones: Record<Enrollment["status"], Tone> = {
  active: "info",
  suspended: "warn",
  completed: "good",
  withdrawn: "neutral",
};

const tones: Record<TrainingPace["standing"], Tone> = { ahead: "good", on_track: "info", behind: "warn" };

type Standing = Pick<StudentProgress, "status" | "pace" | "stalled_since">;

export const standings = ["stalled", "behind", "on_track", "ahead", "unplanned"] as const;

/** A training that has stalled is first of all that, whatever its plan. */
export const standingOf = ({ pace, stalled_since }: Standing): (typeof standings)[number] =>
  stalled_since !== null ? "stalled" : (pace?.standing ?? "unplanned");

/** The first needs somebody most. What is suspended waits for its day. */
export const urgencyOf = (progress: Standing): number =>
  progress.status === "suspended" ? standings.length : standings.indexOf(standingOf(progress));

/** Whether nothing is missing but the skill test. */
export const isReady = ({ ready_for_test, missing }: Pick<StudentProgress, "ready_for_test" | "missing">): boolean =>
  ready_for_test && missing.includes("skill_test");

/** Of a training that is behind: the end at this pace, and the planned one. */
export function Why({ progress: { pace } }: { progress: Standing }) {
  const words = trainingText();
  if (pace?.standing !== "behind") return null;
  const { projected_end_on: projected, planned_end_on: planned } = pace;
  return (
    <span class="quiet small">
      {words.late(projected === null ? undefined : formatDay(projected), formatDay(planned))}
    </span>
  );
}

export function StandingBadges({ progress: { status, pace, stalled_since } }: { progress: Standing }) {
  const words = trainingText();
  return (
    <span class="badges">
      {status === "suspended" && <Badge tone="warn">{text().person.enrollments.suspended}</Badge>}
      {stalled_since !== null && <Badge tone="bad">{words.stalledSince(formatDay(stalled_since))}</Badge>}
      {pace === null && stalled_since === null && status === "active" && (
        <span class="quiet small">{words.noPlan}</span>
      )}
      {pace && <Badge tone={tones[pace.standing]}>{words.standings[pace.standing]}</Badge>}
    </span>
  );
}
