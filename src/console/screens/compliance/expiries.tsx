/** What of the school runs out in the next months, and reminders of it by one click. */
import { type Signal, useSignal } from "@preact/signals";
import { Fragment } from "preact";
import type { ComplianceRecord, RecordType } from "../../api/operations.ts";
import { daysAgo, daysUntil } from "../../app/days.ts";
import { explain } from "../../app/explain.ts";
import { formatDate, formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { List } from "../../ui/list.tsx";
import { Empty } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { Head } from "./head.tsx";
import { nameOfRecord } from "./name-of-record.ts";
import { RecordDialog } from "./record-dialog.tsx";
import { Timeline } from "./timeline.tsx";
import { complianceText } from "./words.ts";

const periods = ["90", "180", "365"] as const;
const subjects = ["person", "aircraft"] as const;
/** What has expired in these days is shown, too. */
const past = 30;
const DAY = 86_400_000;

export default function Expiries() {
  const words = complianceText();
  const { query } = place.value;
  const ahead = periods.find((one) => one === query.get("days")) ?? "90";
  const subject = subjects.find((one) => one === query.get("of"));
  const cursor = query.get("cursor") ?? undefined;
  const resource = useResource("GET /orgs/{orgId}/compliance/expiries", {
    query: {
      ...{ from: daysAgo(past), to: daysAgo(-Number(ahead) - 1), limit: 500 },
      ...(subject && { subject }),
      ...(cursor !== undefined && { cursor }),
    },
  });
  const types = useResource("GET /orgs/{orgId}/compliance/types").data?.data ?? [];
  const open = useSignal<ComplianceRecord | undefined>(undefined);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const refusals = useSignal<Refusals>(new Map());
  const records = resource.data?.data ?? [];
  const toneOf = (record: ComplianceRecord) => toneIn(types, record);
  const show = (record: ComplianceRecord) => {
    open.value = record;
  };
  return (
    <>
      <Head hint={words.expiriesHint(past)} />
      <search class="filters">
        <Choice
          label={words.period}
          value={ahead}
          options={periods.map((value) => ({ value, label: words.nextDays(Number(value)) }))}
          onChange={(value) => setQuery({ days: value === "90" ? undefined : value, cursor: undefined })}
        />
        <Choice
          label={words.of}
          value={subject ?? ""}
          options={[{ value: "", label: words.all }, ...subjects.map((value) => ({ value, label: words.ofs[value] }))]}
          onChange={(value) => setQuery({ of: value, cursor: undefined })}
        />
      </search>
      {records.length > 0 && <Timeline {...{ records, types, toneOf, past }} ahead={Number(ahead)} onOpen={show} />}
      {may("compliance:manage") && <Bulk {...{ records, chosen, refusals }} />}
      <Refused {...{ records, refusals }} />
      <List<ComplianceRecord>
        label={words.pages.expiries}
        resource={resource}
        filters={["of"]}
        columns={[
          { label: words.whose, cell: (record) => <Whose {...{ record, chosen }} /> },
          {
            label: words.record,
            cell: (record) => (
              <span class="row-title">
                <button type="button" aria-haspopup="dialog" onClick={() => show(record)}>
                  {nameOfRecord(types, record)}
                </button>
              </span>
            ),
          },
          {
            label: words.expires,
            cell: ({ valid_until }) => <span class="on-one-line">{formatDay(valid_until ?? "")}</span>,
            isDesk: true,
          },
          { label: words.state, cell: (record) => <State {...{ record }} tone={toneOf(record)} /> },
          { label: words.reminder, cell: (record) => <Reminder {...{ record, refusals }} />, isActions: true },
        ]}
        empty={<Empty title={words.nothingExpires}>{words.nothingExpiresHint}</Empty>}
      />
      {open.value && (
        <RecordDialog
          record={open.value}
          onClose={() => {
            open.value = undefined;
          }}
        />
      )}
    </>
  );
}

function toneIn(types: readonly RecordType[], { type, valid_until }: ComplianceRecord): Tone {
  const days = daysUntil(valid_until ?? "");
  const soon = types.find(({ key }) => key === type)?.warning_days ?? 30;
  return days < 0 ? "bad" : days <= soon ? "warn" : "info";
}

function State({ record, tone }: { record: ComplianceRecord; tone: Tone }) {
  const { compliance: words } = text();
  const until = record.valid_until ?? "";
  const days = daysUntil(until);
  return <Badge tone={tone}>{days < 0 ? words.expired(formatDay(until)) : words.expiresIn(days)}</Badge>;
}

type Chosen = Signal<ReadonlySet<string>>;

function Whose({ record: { id, person, aircraft, ...record }, chosen }: { record: ComplianceRecord; chosen: Chosen }) {
  const words = complianceText();
  const name = person?.name ?? aircraft?.registration ?? "";
  const link = <a href={person ? `/app/people/${person.id}` : `/app/aircraft/${aircraft?.id}`}>{name}</a>;
  if (!canRemind({ person, ...record })) return link;
  return (
    <span class="title-line">
      <input
        type="checkbox"
        aria-label={words.choose(name)}
        checked={chosen.value.has(id)}
        onChange={({ currentTarget: { checked } }) => {
          const others = [...chosen.value].filter((one) => one !== id);
          chosen.value = new Set(checked ? [...others, id] : others);
        }}
      />
      {link}
    </span>
  );
}

const canRemind = ({ person, reminded_at }: Pick<ComplianceRecord, "person" | "reminded_at">): boolean =>
  person !== null && may("compliance:manage") && (reminded_at === null || Date.now() - Date.parse(reminded_at) >= DAY);

/** Why records were not reminded of, by their ids: it stays in the list, for a message in a corner is gone before it is read. */
type Refusals = ReadonlyMap<string, string>;

/** A reason of several records is said once, above the list, and not in each row. */
const isShared = (refusals: Refusals, reason: string): boolean =>
  [...refusals.values()].filter((one) => one === reason).length > 1;

/** Reminds of one after the other: each may be refused for a reason of its own. Returns of how many. */
async function remind(records: readonly ComplianceRecord[], refusals: Signal<Refusals>): Promise<number> {
  const refused = new Map<string, string>();
  for (const { id } of records)
    await call("POST /orgs/{orgId}/compliance/records/{recordId}/remind", { path: { recordId: id } }).catch((error) => {
      refused.set(id, explain(error).message);
    });
  refusals.value = refused;
  await changed("/compliance");
  return records.length - refused.size;
}

function Reminder({ record, refusals }: { record: ComplianceRecord; refusals: Signal<Refusals> }) {
  const words = complianceText();
  const { id, person, reminded_at } = record;
  const refusal = refusals.value.get(id);
  const click = async () => {
    if ((await remind([record], refusals)) > 0) toast(words.remindedOne(person?.name ?? ""));
  };
  return (
    <span class="title-line">
      {reminded_at !== null && <span class="quiet small">{words.remindedOn(formatDate(reminded_at))}</span>}
      {canRemind(record) && (
        <Button kind="plain" busyText={words.reminding} onClick={click}>
          {words.remind}
          <span class="visually-hidden"> {person?.name}</span>
        </Button>
      )}
      {refusal !== undefined && !isShared(refusals.value, refusal) && (
        <span class="refusal" role="alert">
          {refusal}
        </span>
      )}
    </span>
  );
}

/** The reasons of several records, each with the people. */
function Refused({ records, refusals }: { records: readonly ComplianceRecord[]; refusals: Signal<Refusals> }) {
  const byReason = Map.groupBy(records, ({ id }) => refusals.value.get(id) ?? "");
  return [...byReason].map(([reason, refused]) => {
    if (!isShared(refusals.value, reason)) return null;
    const people = new Map(refused.map(({ person }) => [person?.id, person?.name]));
    return (
      <div key={reason} class="notice warn" role="alert">
        <p>{reason}</p>
        <p>
          {[...people].map(([id, name], at) => (
            <Fragment key={id}>
              {at > 0 && ", "}
              <a href={`/app/people/${id}`}>{name}</a>
            </Fragment>
          ))}
        </p>
      </div>
    );
  });
}

interface BulkProps {
  records: readonly ComplianceRecord[];
  chosen: Chosen;
  refusals: Signal<Refusals>;
}

/** Reminders of all that is chosen. */
function Bulk({ records, chosen, refusals }: BulkProps) {
  const words = complianceText();
  const possible = records.filter(canRemind);
  const wanted = possible.filter(({ id }) => chosen.value.has(id));
  const all = new Set(possible.map(({ id }) => id));
  const send = async () => {
    const count = await remind(wanted, refusals);
    chosen.value = new Set();
    toast(words.remindedSome(count, wanted.length - count));
  };
  if (possible.length === 0) return null;
  return (
    <div class="row-actions">
      <Button
        onClick={() => {
          chosen.value = wanted.length === possible.length ? new Set() : all;
        }}
      >
        {wanted.length === possible.length ? words.chooseNone : words.chooseAll(possible.length)}
      </Button>
      {wanted.length > 0 && (
        <Button kind="primary" busyText={words.reminding} onClick={send}>
          {words.remindChosen(wanted.length)}
        </Button>
      )}
    </div>
  );
}
