/** What several screens show of a flight. */
import type { Flight } from "../../api/operations.ts";
import { formatDate, formatTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

export const statuses = ["draft", "submitted", "approved", "rejected", "reversed"] as const;

const tones: Record<Flight["status"], Tone> = {
  draft: "neutral",
  submitted: "info",
  approved: "good",
  rejected: "bad",
  reversed: "neutral",
};

export const StatusBadge = ({ status }: Pick<Flight, "status">) => (
  <Badge tone={tones[status]}>{text().flights.statuses[status]}</Badge>
);

type Finding = Flight["findings"][number];

/** Two documents that lack are two findings of one rule, and one sentence. */
const sentencesOf = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [`${finding.rule} ${finding.person_id}`, finding])).values(),
];

export const oddCount = ({ warnings, findings }: Pick<Flight, "warnings" | "findings">): number =>
  warnings.length + sentencesOf(findings).length;

/** How much is odd about a flight, in a word. */
export function Odd({ warnings, findings }: Pick<Flight, "warnings" | "findings">) {
  const count = oddCount({ warnings, findings });
  if (count === 0) return null;
  const blocks = findings.some(({ action }) => action === "block");
  return <Badge tone={blocks ? "bad" : "warn"}>{text().flights.warningCount(count)}</Badge>;
}

export const dayOfFlight = ({ off_block_at }: Pick<Flight, "off_block_at">): string =>
  off_block_at === null ? text().flights.noDay : formatDate(off_block_at);

/** A draft of which only who flies what is known, such as that of a check-in. */
export const hasNoTimes = ({ status, off_block_at, on_block_at }: Flight): boolean =>
  status === "draft" && off_block_at === null && on_block_at === null;

export const nameOf = (flight: Flight): string => text().flights.one(flight.aircraft.registration, dayOfFlight(flight));

/** `Ines Berg (FI), Sam Weber (dual)` */
export const crewOf = ({ crew }: Pick<Flight, "crew">): string =>
  crew.map((member) => `${member.name} (${text().flights.shortFunctions[member.function]})`).join(", ");

export const routeOf = ({ departure, arrival }: Pick<Flight, "departure" | "arrival">): string =>
  departure === null && arrival === null ? "" : `${departure ?? "…"} – ${arrival ?? "…"}`;

export const timeOr = (instant: string | null): string => (instant === null ? "–" : formatTime(instant));

/** What is odd, each in a sentence: the worst first. */
export function Oddities({ flight }: { flight: Pick<Flight, "warnings" | "findings" | "crew"> }) {
  const { flights: words } = text();
  const { warnings, findings, crew } = flight;
  if (warnings.length + findings.length === 0) return null;
  const about = ({ person_id }: Finding) => crew.find((member) => member.person_id === person_id)?.name;
  const said = sentencesOf(findings);
  const blocking = said.filter(({ action }) => action === "block");
  const others = said.filter(({ action }) => action === "warn");
  return (
    <ul class="oddities">
      {[...blocking, ...others].map((finding) => (
        <li key={`${finding.rule} ${finding.person_id}`}>
          <Badge tone={finding.action === "block" ? "bad" : "warn"}>{words.findings}</Badge>
          <span>
            {words.rules[finding.rule]}
            {about(finding) !== undefined && <span class="quiet"> · {about(finding)}</span>}
            {finding.acknowledged_by !== null && <span class="quiet"> · {words.acknowledged}</span>}
          </span>
        </li>
      ))}
      {warnings.map((warning) => (
        <li key={warning}>
          <Badge tone="warn">{words.marks}</Badge>
          <span>{words.warnings[warning]}</span>
        </li>
      ))}
    </ul>
  );
}
