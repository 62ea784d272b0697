/** What is required of whom, and how each person stands under it. A cell leads to the record, or to where it is entered. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ComplianceMatrix } from "../../api/operations.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Matrix } from "../../ui/matrix.tsx";
import { Loaded } from "../../ui/section.tsx";
import { Empty } from "../../ui/states.tsx";
import { breakable } from "./breakable.ts";
import { EnterRecord } from "./enter-record.tsx";
import { Head } from "./head.tsx";
import { More } from "./more.tsx";
import { RecordDialog } from "./record-dialog.tsx";
import { useRequirementNames } from "./type-names.ts";
import { complianceText } from "./words.ts";

type Person = ComplianceMatrix["people"][number];
type Cell = NonNullable<Person["cells"][number]>;
type Requirement = ComplianceMatrix["requirements"][number];

const roles = ["student", "pilot", "instructor"] as const;
export const stateTones: Record<Cell["state"], Tone> = {
  met: "good",
  expiring: "warn",
  expired: "bad",
  missing: "bad",
  not_needed: "neutral",
};

export default function Required() {
  const words = complianceText();
  const { people } = text();
  const { query } = place.value;
  const role = roles.find((one) => one === query.get("role"));
  const cursor = query.get("cursor") ?? undefined;
  const resource = useResource("GET /orgs/{orgId}/compliance/matrix", {
    query: { ...(role && { type: role }), ...(cursor !== undefined && { cursor }) },
  });
  return (
    <>
      <Head hint={words.recordsHint} />
      <search class="filters">
        <Choice
          label={words.role}
          value={role ?? ""}
          options={[{ value: "", label: words.all }, ...roles.map((value) => ({ value, label: people.types[value] }))]}
          onChange={(value) => setQuery({ role: value, cursor: undefined })}
        />
      </search>
      <Loaded resource={resource} lines={8}>
        {({ data }) => <Shown matrix={data} />}
      </Loaded>
    </>
  );
}

interface Opened {
  person: Person;
  requirement: Requirement;
  cell: Cell;
}

function Shown({ matrix }: { matrix: ComplianceMatrix }) {
  const words = complianceText();
  const { people: names } = text();
  const nameOf = useRequirementNames();
  const open = useSignal<Opened | undefined>(undefined);
  const { people, requirements, next_cursor } = matrix;
  /** Those that are required of somebody who is shown. */
  const used = useMemo(
    () => requirements.map((_, index) => index).filter((index) => people.some(({ cells }) => cells[index])),
    [matrix],
  );
  const columns = used.flatMap((index) => {
    const one = requirements[index];
    return one
      ? [{ id: one.id, name: breakable(nameOf(one)), detail: names.types[one.applies_to as keyof typeof names.types] }]
      : [];
  });
  const named = columns.map(({ name }) => name).join();
  const rows = useMemo(() => people.map(({ id, name }) => ({ id, name, href: `/app/people/${id}` })), [matrix]);
  const kept = useMemo(() => columns, [matrix, named]);
  const cell = useMemo(
    () => (row: number, column: number) => {
      const found = people[row]?.cells[used[column] ?? -1];
      if (!found) return undefined;
      const { state, valid_until } = found;
      return {
        tone: stateTones[state],
        said: words.states[state],
        ...(valid_until !== null && { shown: formatDay(valid_until) }),
      };
    },
    [matrix, words],
  );
  if (people.length === 0 || kept.length === 0)
    return <Empty title={words.nobody}>{people.length === 0 ? words.nobodyHint : words.noRequirements}</Empty>;
  return (
    <>
      <div class="legend">
        {(["met", "expiring", "expired", "missing"] as const).map((state) => (
          <Badge key={state} tone={stateTones[state]}>
            {words.states[state]}
          </Badge>
        ))}
      </div>
      <Matrix
        label={words.pages.records}
        rowsAre={words.person}
        {...{ rows, cell, columns: kept }}
        isWide
        onOpen={(row, column) => {
          const [person, requirement] = [people[row], requirements[used[column] ?? -1]];
          const found = person?.cells[used[column] ?? -1];
          if (person && requirement && found) open.value = { person, requirement, cell: found };
        }}
      />
      <More next={next_cursor} />
      {open.value && (
        <CellOf
          {...open.value}
          name={nameOf(open.value.requirement)}
          onClose={() => {
            open.value = undefined;
          }}
        />
      )}
    </>
  );
}

function CellOf({ person, requirement, cell, name, onClose }: Opened & { name: string; onClose: () => void }) {
  const words = complianceText();
  const types = useResource("GET /orgs/{orgId}/compliance/types", { query: { subject: "person" } }).data?.data ?? [];
  const record = useResource(cell.record_id === null ? undefined : "GET /orgs/{orgId}/compliance/records/{recordId}", {
    path: { recordId: cell.record_id ?? "" },
  }).data?.data;
  if (record) return <RecordDialog {...{ record, onClose }} />;
  if (cell.state === "missing" && may("compliance:manage"))
    return <EnterRecord {...{ types, onClose }} subject={{ person_id: person.id }} wanted={requirement.any_of[0]} />;
  if (cell.record_id !== null) return null;
  return (
    <Dialog title={person.name} onClose={onClose}>
      <p class="title-line">
        <Badge tone={stateTones[cell.state]}>{words.states[cell.state]}</Badge>
        {name}
      </p>
      <div class="form-actions">
        <a class="button" href={`/app/people/${person.id}`}>
          {person.name}
        </a>
      </div>
    </Dialog>
  );
}
