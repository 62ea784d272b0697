/** The records of a person or an aircraft, and what they lack: first what is missing or over, then what expires. */
import { useSignal } from "@preact/signals";
import type { ComplianceEvaluation, ComplianceRecord, RecordType } from "../../api/operations.ts";
import { daysUntil } from "../../app/days.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type Row, Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { EnterRecord } from "./enter-record.tsx";
import { nameOfRecord } from "./name-of-record.ts";
import { RecordDetails } from "./record-details.tsx";
import type { Subject } from "./subject.ts";
import { nameOfType } from "./type-names.ts";

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

/** A record that is to be entered, perhaps of a type, or one that is shown. */
type Open = { kind: "enter"; type?: string; before?: ComplianceRecord } | { kind: "details"; record: ComplianceRecord };

/** @param title in the words of the subject: an aircraft has documents */
export function Standing({ subject, title }: { subject: Subject; title: string }) {
  const { compliance: words } = text();
  const ofPerson = "person_id" in subject;
  const records = useResource("GET /orgs/{orgId}/compliance/records", { query: { ...subject, status: "current" } });
  const evaluation = useResource("GET /orgs/{orgId}/compliance/evaluations", { query: subject });
  const query = { subject: ofPerson ? ("person" as const) : ("aircraft" as const) };
  const types = useResource("GET /orgs/{orgId}/compliance/types", { query }).data?.data ?? [];
  const open = useSignal<Open | undefined>(undefined);
  const close = () => {
    open.value = undefined;
  };
  const manages = ofPerson ? may("compliance:manage") : may("compliance:manage", "compliance:manage_aircraft");
  const show = (what: Open) => () => {
    open.value = what;
  };
  const shown = open.value;
  return (
    <Section
      title={title}
      actions={
        manages && (
          <Button kind="plain" icon="plus" onClick={show({ kind: "enter" })}>
            {words.enterAction}
            <span class="visually-hidden"> {title}</span>
          </Button>
        )
      }
    >
      <Loaded resource={records}>
        {({ data }) => (
          <Rows
            label={title}
            rows={[
              ...missingIn(evaluation.data?.data[0]?.reasons ?? [], types, manages ? show : undefined),
              ...heldIn(data, types, show),
            ]}
            empty={words.nothing}
          />
        )}
      </Loaded>
      {shown?.kind === "enter" && (
        <EnterRecord {...{ subject, types }} wanted={shown.type} before={shown.before} onClose={close} />
      )}
      {shown?.kind === "details" && (
        <RecordDetails
          {...{ record: shown.record, types, onClose: close }}
          onRenew={manages ? show({ kind: "enter", before: shown.record }) : undefined}
        />
      )}
    </Section>
  );
}

/** Undefined for those who may only read. */
type Show = ((what: Open) => () => void) | undefined;

const missingIn = (reasons: ComplianceEvaluation["reasons"], types: readonly RecordType[], show: Show): Row[] =>
  reasons
    .filter(({ state }) => state === "missing")
    .map(({ requirement_id, any_of }) => {
      const { compliance: words } = text();
      const title = any_of.map((key) => nameOfType(types, key)).join(words.or);
      const [type] = any_of;
      return {
        id: requirement_id,
        title,
        aside: (
          <>
            <Badge tone="bad">{words.missing}</Badge>
            {show && type !== undefined && (
              <Button kind="plain" onClick={show({ kind: "enter", type })}>
                {words.enterAction}
                <span class="visually-hidden"> {title}</span>
              </Button>
            )}
          </>
        ),
      };
    });

function heldIn(records: readonly ComplianceRecord[], types: readonly RecordType[], show: NonNullable<Show>): Row[] {
  const { compliance: words } = text();
  return records
    .toSorted((a, b) => (a.valid_until ?? "9999").localeCompare(b.valid_until ?? "9999"))
    .map((record) => {
      const { id, type, number, valid_until } = record;
      const soon = types.find(({ key }) => key === type)?.warning_days ?? 30;
      const title = nameOfRecord(types, record);
      return {
        id,
        title,
        detail: [number, valid_until && words.validUntil(formatDay(valid_until))].filter(Boolean).join(" · "),
        onOpen: show({ kind: "details", record }),
        aside: <Validity until={valid_until} soon={soon} />,
      };
    });
}

export function Validity({ until, soon }: { until: string | null; soon: number }) {
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
