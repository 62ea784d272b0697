/** Where all students stand: those whose training has stalled first, then those who are behind. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { startsIn, wordsIn, wordsOf } from "../../../core/words.ts";
import type { StudentProgress } from "../../api/operations.ts";
import { compareTexts, formatDay, formatPercent } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Bar } from "../../ui/bar.tsx";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Download } from "../../ui/download.tsx";
import { chosenOrder, List } from "../../ui/list.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Empty } from "../../ui/states.tsx";
import { EnrollDialog } from "./enroll-dialog.tsx";
import { missingName } from "./missing-name.ts";
import { isReady, StandingBadges, standingOf, standings, urgencyOf, Why } from "./standing.tsx";
import { Tabs } from "./tabs.tsx";
import { trainingText } from "./words.ts";

/** The state of a training is computed at each read: so the page that is sorted here is as long as the API's longest. */
const most = 500;

const orders = ["urgency", "name", "-name", "percent", "-percent"] as const;

type Compare = (one: StudentProgress, other: StudentProgress) => number;
const byName: Compare = (one, other) => compareTexts(one.student.name, other.student.name);
const compares: Record<(typeof orders)[number], Compare> = {
  urgency: (one, other) => urgencyOf(one) - urgencyOf(other),
  name: byName,
  "-name": (one, other) => byName(other, one),
  percent: (one, other) => one.percent - other.percent,
  "-percent": (one, other) => other.percent - one.percent,
};

const lessonOf = ({ code, name }: { code: string; name: string }) => `${code} ${name}`;

const filters = [...standings, "ready"] as const;

/** The next lesson; after the last one what else is missing, or that the student is ready for the skill test. */
function Next({ progress }: { progress: StudentProgress }) {
  const words = trainingText();
  const [next] = progress.next_lessons;
  if (next) return <span class="brief">{lessonOf(next)}</span>;
  if (isReady(progress)) return <Badge tone="good">{words.filters.ready}</Badge>;
  const missing = progress.missing.filter((what) => what !== "skill_test" && what !== "items");
  if (missing.length === 0) return null;
  return <span class="brief">{words.stillMissing(missing.map(missingName).join(", "))}</span>;
}

export default function Students() {
  const words = trainingText();
  const { actions, people } = text();
  const { query } = place.value;
  const isEnrolling = useSignal(false);
  const program = query.get("program") ?? "";
  const standing = filters.find((one) => one === query.get("standing"));
  const q = query.get("q") ?? "";
  const cursor = query.get("cursor") ?? undefined;
  const { order = "urgency" } = chosenOrder(orders);
  const filter = { ...(program !== "" && { program_id: program }) };
  const programs = useResource("GET /orgs/{orgId}/training/programs", { query: { limit: most } });
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/training/progress", {
    query: { limit: most, ...filter, ...(cursor !== undefined && { cursor }) },
  });
  const shown = useMemo(() => {
    if (data === undefined) return undefined;
    const searched = wordsIn(q);
    const rows = data.data
      .filter((one) => standing === undefined || (standing === "ready" ? isReady(one) : standingOf(one) === standing))
      .filter(({ student }) => startsIn(wordsOf(student.name), searched))
      .sort((one, other) => compares[order](one, other) || byName(one, other))
      .map((one) => ({ ...one, id: one.enrollment_id }));
    return { data: rows, page: data.page };
  }, [data, standing, q, order]);
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <div class="actions">
          <Download from="GET /orgs/{orgId}/training/progress" as="csv" query={filter} name="training.csv">
            {actions.csv}
          </Download>
          {may("training:manage") && (
            <Button
              kind="primary"
              icon="plus"
              onClick={() => {
                isEnrolling.value = true;
              }}
            >
              {words.enroll}
            </Button>
          )}
        </div>
      </div>
      <Tabs />
      <search class="filters">
        <SearchField label={words.search} />
        <Choice
          label={words.program}
          value={program}
          options={[
            { value: "", label: words.allPrograms },
            ...(programs.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(value) => setQuery({ program: value, cursor: undefined })}
        />
        <Choice
          label={words.standing}
          value={standing ?? ""}
          options={[
            { value: "", label: people.all },
            ...filters.map((value) => ({ value, label: words.filters[value] })),
          ]}
          onChange={(value) => setQuery({ standing: value, cursor: undefined })}
        />
      </search>
      <List<StudentProgress & { id: string }>
        label={words.students}
        resource={{ data: shown, problem, reload }}
        filters={["program", "standing", "q"]}
        order="urgency"
        href={({ id }) => `/app/training/${id}`}
        columns={[
          { label: words.student, cell: ({ student }) => student.name, orders: ["name", "-name"] },
          { label: words.program, cell: ({ program: { name } }) => name },
          {
            label: words.progress,
            cell: ({ items, percent }) => (
              <span class="bar-cell">
                <Bar
                  label={words.progress}
                  value={items.done}
                  max={items.total}
                  said={words.exercises(items.done, items.total)}
                  tone="info"
                />
                {formatPercent(percent)}
              </span>
            ),
            orders: ["percent", "-percent"],
          },
          {
            label: words.standing,
            cell: (progress) => (
              <span class="stack">
                <StandingBadges progress={progress} />
                <Why progress={progress} />
              </span>
            ),
            orders: ["urgency"],
          },
          {
            label: words.lastLesson,
            cell: ({ last_lesson: last }) =>
              last && (
                <span>
                  <span class="brief">{lessonOf(last)}</span> <span class="quiet small">{formatDay(last.on)}</span>
                </span>
              ),
            isDesk: true,
          },
          {
            label: words.nextLesson,
            cell: (progress) => <Next progress={progress} />,
          },
        ]}
        empty={<Empty title={words.none}>{words.noneHint}</Empty>}
      />
      {isEnrolling.value && (
        <EnrollDialog
          onClose={() => {
            isEnrolling.value = false;
          }}
        />
      )}
    </>
  );
}
