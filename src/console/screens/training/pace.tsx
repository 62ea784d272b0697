/** The pace of a training: how far it is against its plan, and what is needed, was done and is booked a week. */
import type { TrainingPace } from "../../api/operations.ts";
import { formatDay, formatRate } from "../../app/format.ts";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { Metered } from "./meters.tsx";
import { StandingBadges } from "./standing.tsx";
import { trainingText } from "./words.ts";

export function Pace({ pace }: { pace: TrainingPace }) {
  const words = trainingText();
  const { required_per_week: required, actual_per_week: actual, booked_per_week: booked } = pace;
  const most = Math.max(required ?? 0, actual, booked);
  const rates = [
    ...(required === null ? [] : [{ label: words.required, rate: required, tone: "neutral" as const }]),
    { label: words.actual, rate: actual, tone: toneOf(actual, required) },
    { label: words.booked, rate: booked, tone: toneOf(booked, required) },
  ];
  return (
    <Section title={words.pace}>
      <StandingBadges progress={{ status: "active", pace, stalled_since: null }} />
      <Metered
        label={words.lessonsOfPlan}
        value={pace.lessons_done}
        max={pace.lessons_total}
        mark={pace.lessons_expected}
        tone={pace.standing === "behind" ? "warn" : "good"}
        said={words.ofPlan(pace.lessons_done, pace.lessons_total, pace.lessons_expected)}
      />
      {most > 0 &&
        rates.map(({ label, rate, tone }) => (
          <Metered key={label} {...{ label, tone }} value={rate} max={most} said={words.perWeek(formatRate(rate))} />
        ))}
      <Facts
        facts={[
          { label: words.plannedEnd, value: formatDay(pace.planned_end_on) },
          {
            label: words.projectedEnd,
            value: pace.projected_end_on === null ? words.noProjection : formatDay(pace.projected_end_on),
          },
        ]}
      />
      {required === null && <p class="small">{words.over}</p>}
      <p class="quiet small">{words.paceHint}</p>
    </Section>
  );
}

const toneOf = (rate: number, required: number | null) =>
  required === null || rate < required ? ("warn" as const) : ("good" as const);
