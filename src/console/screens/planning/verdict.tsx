/** What a booking would answer: that nothing is against it, what warns, why it is refused, and what it costs. */
import type { FlightCost, PlanningConflict, PlanningSession } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { explain, explainIssue } from "../../app/explain.ts";
import { formatMoney } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import type { Preview } from "./asking.ts";
import { planningText } from "./words.ts";

type Named = Pick<PlanningSession["resources"][number], "id" | "name">;

/** A rule that is against a booking, with whom or what it is about. */
export function sentenceOf(
  { rule, message, resource }: Pick<PlanningConflict, "rule" | "message" | "resource">,
  named: readonly Named[],
): string {
  // To students the API does not say who.
  if (rule === "person" && resource === null) return planningText().somebodyElse;
  const known: Partial<Record<string, string>> = { ...text().flights.rules, ...planningText().rules };
  const words = known[rule];
  if (words === undefined) return message;
  const name = named.find(({ id }) => id === resource?.id)?.name;
  return name === undefined ? words : `${name}: ${words}`;
}

/** Each thing once: several sessions may stand in the way of one. */
const sentencesOf = (all: readonly PlanningConflict[], named: readonly Named[]): string[] => [
  ...new Set(all.map((one) => sentenceOf(one, named))),
];

/** Why a booking is refused. */
export function refusalOf(problem: unknown, named: readonly Named[]): string[] {
  const conflicts = problem instanceof Problem ? problem.fields.conflicts : undefined;
  if (Array.isArray(conflicts)) return sentencesOf(conflicts, named);
  if (problem instanceof Problem && problem.issues.length > 0) return problem.issues.map(explainIssue);
  return [explain(problem).message];
}

export interface Said {
  tone: Tone;
  title: string;
  sentences: readonly string[];
  /** What is known of it, and what is missing. */
  price: { amount: string; missing: string } | undefined;
  rules: readonly string[];
}

/** Neutral as long as nothing is known. */
export function toneOf(preview: Preview): Tone {
  if (preview.kind === "refused") return "bad";
  if (preview.kind !== "tried") return "neutral";
  return preview.tried.checks.length === 0 ? "good" : "warn";
}

/** @param named whom and what the rules may be about */
export function saidOf(preview: Preview, named: readonly Named[]): Said | undefined {
  const words = planningText();
  const tone = toneOf(preview);
  const nothing = { tone, sentences: [], price: undefined, rules: [] };
  if (preview.kind === "none") return undefined;
  if (preview.kind === "asking") return { ...nothing, title: words.checking };
  if (preview.kind === "refused") {
    const conflicts = preview.problem instanceof Problem ? preview.problem.fields.conflicts : undefined;
    const rules = Array.isArray(conflicts) ? conflicts.map(({ rule }) => String(rule)) : [];
    return { ...nothing, title: words.refused, sentences: refusalOf(preview.problem, named), rules };
  }
  const { checks, price, session } = preview.tried;
  return {
    tone,
    title: checks.length === 0 ? words.fine : words.warns,
    sentences: sentencesOf(checks, [...session.resources, ...named]),
    price: price ? priceOf(price) : undefined,
    rules: checks.map(({ rule }) => rule),
  };
}

/** What is paid, and the packages that the time is drawn from. @returns `undefined` if there is neither: zero would read as a price */
function priceOf({ missing, lines, gross_minor, currency }: FlightCost): Said["price"] {
  const words = planningText();
  const packages = new Set(lines.flatMap(({ package_name }) => package_name ?? []));
  const amounts = [
    ...(gross_minor > 0 ? [formatMoney(gross_minor, currency)] : []),
    ...[...packages].map((name) => words.fromPackage(name)),
  ];
  if (amounts.length === 0) return undefined;
  const parts = missing.map((part) => text().flights.missing[part]).join(", ");
  return { amount: amounts.join(" + "), missing: parts && words.missing(parts) };
}

interface VerdictProps {
  said: Said | undefined;
  /** Of what was answered, for a test that reads the page; `false`: nothing yet. */
  kind: Preview["kind"] | false;
  /** Sentences that are told; of the others, how many there are. */
  most?: number;
}

export function Verdict({ said, kind, most = Number.POSITIVE_INFINITY }: VerdictProps) {
  const words = planningText();
  if (!said) return null;
  const others = said.sentences.length - most;
  return (
    <div class="verdict" data-verdict={kind || undefined} data-rules={said.rules.join(" ")}>
      <Badge tone={said.tone}>{said.title}</Badge>
      {said.price && (
        <span>
          <span class="quiet">{words.price}</span> <strong>{said.price.amount}</strong>{" "}
          <span class="quiet small">{said.price.missing}</span>
        </span>
      )}
      {said.sentences.length > 0 && (
        <ul class="plain-list small">
          {said.sentences.slice(0, most).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {others > 0 && <li class="quiet">{words.more(others)}</li>}
        </ul>
      )}
    </div>
  );
}
