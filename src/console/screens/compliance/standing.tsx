/** The records of a person or an aircraft, and what they lack: first what is missing or over, then what expires. */
import type { ComplianceEvaluation, ComplianceRecord, RecordType } from "../../api/operations.ts";
import { daysUntil } from "../../app/days.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { nameOfType } from "./type-names.ts";

type Subject = { person_id: string } | { aircraft_id: string };

export const tones: Record<ComplianceEvaluation["status"], Tone> = {
  compliant: "good",
  expiring: "warn",
  not_compliant: "bad",
};

/** Whether the subject has all records that it needs, in a word. */
export function StandingBadge({ subject }: { subject: Subject }) {
  const { compliance } = text();
  const evaluation = useResource("GET /orgs/{orgId}/compliance/evaluations", { query: subject }).data?.data[0];
  return evaluation ? <Badge tone={tones[evaluation.status]}>{compliance.statuses[evaluation.status]}</Badge> : null;
}

/** @param title in the words of the subject: an aircraft has documents */
export function Standing({ subject, title }: { subject: Subject; title: string }) {
  const { compliance: words } = text();
  const records = useResource("GET /orgs/{orgId}/compliance/records", { query: { ...subject, status: "current" } });
  const evaluation = useResource("GET /orgs/{orgId}/compliance/evaluations", { query: subject });
  const types = useResource("GET /orgs/{orgId}/compliance/types", {
    query: { subject: "person_id" in subject ? "person" : "aircraft" },
  });
  return (
    <Section title={title}>
      <Loaded resource={records}>
        {({ data }) => (
          <Rows
            label={title}
            rows={rowsOf(data, evaluation.data?.data[0]?.reasons ?? [], types.data?.data ?? [])}
            empty={words.nothing}
          />
        )}
      </Loaded>
    </Section>
  );
}

function rowsOf(
  records: readonly ComplianceRecord[],
  reasons: ComplianceEvaluation["reasons"],
  types: readonly RecordType[],
) {
  const { compliance: words } = text();
  const nameOf = (key: string) => nameOfType(types, key);
  const missing = reasons
    .filter(({ state }) => state === "missing")
    .map(({ requirement_id, any_of }) => ({
      id: requirement_id,
      title: any_of.map(nameOf).join(words.or),
      aside: <Badge tone="bad">{words.missing}</Badge>,
    }));
  const held = records
    .toSorted((a, b) => (a.valid_until ?? "9999").localeCompare(b.valid_until ?? "9999"))
    .map(({ id, type, level, number, valid_until }) => {
      const soon = types.find(({ key }) => key === type)?.warning_days ?? 30;
      return {
        id,
        title: [nameOf(type), level && (words.levels[level] ?? level)].filter(Boolean).join(" · "),
        detail: [number, valid_until && words.validUntil(formatDay(valid_until))].filter(Boolean).join(" · "),
        aside: <Validity until={valid_until} soon={soon} />,
      };
    });
  return [...missing, ...held];
}

function Validity({ until, soon }: { until: string | null; soon: number }) {
  const { compliance: words } = text();
  if (until === null) return <span class="quiet small">{words.unlimited}</span>;
  const days = daysUntil(until);
  if (days < 0) return <Badge tone="bad">{words.expired(formatDay(until))}</Badge>;
  return days <= soon ? (
    <Badge tone="warn">{words.expiresIn(days)}</Badge>
  ) : (
    <Badge tone="good">{words.statuses.valid}</Badge>
  );
}
