/** Why a booking is refused: each rule that is against it, not only the first, or the limit of the school. */
import type { PlanningCheck, PlanningSettings } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { useResource } from "../../app/resource.ts";
import { ProblemNotice } from "../../ui/states.tsx";
import { sentenceOf } from "../planning/verdict.tsx";
import { bookingText } from "./words.ts";

/** Whom and what the rules may be about. What is about the reader needs no name. */
export type Named = readonly { id: string; name: string }[];

export type Against = Pick<PlanningCheck, "rule" | "message" | "resource">;

/** The rules of a refusal; none if it has another reason. */
export function conflictsOf(error: unknown): readonly Against[] {
  const conflicts = error instanceof Problem ? error.fields.conflicts : undefined;
  return Array.isArray(conflicts) ? conflicts : [];
}

export const isLimited = (error: unknown): boolean => error instanceof Problem && error.reason === "booking_limited";

/** Each sentence once: several bookings may stand in the way of one. */
export const Sentences = ({ all, named }: { all: readonly Against[]; named: Named }) => (
  <ul class="plain-list">
    {[...new Set(all.map((one) => sentenceOf(one, named)))].map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);

export function Refusal({ error, named }: { error: unknown; named: Named }) {
  const words = bookingText();
  const conflicts = conflictsOf(error);
  if (isLimited(error))
    return (
      <div class="notice bad" role="alert">
        <Limits />
      </div>
    );
  if (conflicts.length === 0) return <ProblemNotice error={error} />;
  return (
    <div class="notice bad" role="alert">
      <strong>{words.taken}</strong>
      <Sentences all={conflicts} named={named} />
    </div>
  );
}

/** What the school allows its students. */
export function Limits() {
  const settings = useResource("GET /orgs/{orgId}/planning/settings").data?.data;
  return <span>{settings && limitsOf(settings)}</span>;
}

function limitsOf({ students_book, max_open_bookings, min_hours_ahead, max_days_ahead }: PlanningSettings): string {
  const { limits } = bookingText();
  if (!students_book) return limits.schoolBooks;
  const set = [
    max_open_bookings !== null && limits.open(max_open_bookings),
    min_hours_ahead !== null && limits.hoursAhead(min_hours_ahead),
    max_days_ahead !== null && limits.daysAhead(max_days_ahead),
  ];
  return limits.allows(set.filter(Boolean).join(", "));
}
