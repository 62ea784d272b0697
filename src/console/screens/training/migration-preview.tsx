/** What a move to another revision would change for one student. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { EnrollmentMigrationPreview } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import type { Resource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { amountIn, conditionsOf, nameIn } from "./meters.tsx";
import { gradesIn } from "./scales-editor.tsx";
import { rulesIn } from "./theory-editor.tsx";
import { trainingText } from "./words.ts";

/** Asked once: after the move, which others may make meanwhile, there is nothing to preview. */
export function usePreview(enrollmentId: string, to: string | undefined): Resource<EnrollmentMigrationPreview> {
  const data = useSignal<EnrollmentMigrationPreview | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const load = async () => {
    if (to === undefined) return;
    problem.value = undefined;
    await call("GET /orgs/{orgId}/training/enrollments/{enrollmentId}/migration-preview", {
      path: { enrollmentId },
      query: { revision_id: to },
    }).then(
      (answer) => {
        data.value = answer.data;
      },
      (error) => {
        problem.value = error;
      },
    );
  };
  useEffect(() => {
    data.value = undefined;
    void load();
  }, [to]);
  return { data: data.value, problem: problem.value, reload: load };
}

/** What is lost comes first. */
export function MigrationPreview({ preview }: { preview: EnrollmentMigrationPreview }) {
  const words = trainingText();
  const { lessons, items, subjects } = preview;
  const kept = items.kept.filter(({ done }) => done).length;
  const renamed = [...lessons.kept, ...items.kept, ...subjects.kept].filter(({ name, new_name }) => name !== new_name);
  const lostSubjects = [
    ...subjects.dropped.filter(({ passed }) => passed),
    ...subjects.kept.filter(({ passed, stays_passed }) => passed && !stays_passed),
  ];
  const noLongerCounts = <Badge tone="bad">{words.noLongerCounts}</Badge>;
  const parts = [
    {
      title: words.lost,
      rows: [
        ...items.dropped.filter(({ done }) => done).map((item) => ({ ...itemRow(item), aside: noLongerCounts })),
        ...lostSubjects.map((subject) => ({ ...subjectRow(subject), aside: noLongerCounts })),
      ],
    },
    {
      title: words.added,
      rows: [...lessons.added.map(lessonRow), ...items.added.map(itemRow), ...subjects.added.map(subjectRow)],
    },
    {
      title: words.dropped,
      rows: [...lessons.dropped.map(lessonRow), ...subjects.dropped.filter(({ passed }) => !passed).map(subjectRow)],
    },
    {
      title: words.renamed,
      rows: renamed.map(({ name, new_name }, at) => ({
        id: String(at),
        title: new_name,
        detail: words.formerly(name),
      })),
    },
    { title: words.minima, rows: minimaRows(preview) },
    { title: words.exams, rows: examRows(preview) },
    { title: words.scales.title, rows: scaleRows(preview) },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <div class="form">
      <p>{words.keptDone(kept)}</p>
      {parts.length === 0 && <p class="quiet">{words.nothingElse}</p>}
      {parts.map(({ title, rows }) => (
        <div key={title} class="stack">
          <h3>{title}</h3>
          <Rows label={title} empty="" rows={rows} most={8} />
        </div>
      ))}
    </div>
  );
}

interface Named {
  code: string;
  name: string;
}

const lessonRow = ({ code, name }: Named) => ({ id: code, title: `${code} ${name}` });

const itemRow = ({ lesson, code, name }: Named & { lesson: string }) => ({
  id: `${lesson} ${code}`,
  title: name,
  detail: `${trainingText().lesson} ${lesson}`,
});

const subjectRow = ({ code, name }: Named) => ({
  id: `subject ${code}`,
  title: name,
  detail: trainingText().theoryExam,
});

function minimaRows({ minima: { from, to } }: EnrollmentMigrationPreview) {
  const { fromTo } = trainingText();
  return [...new Set([...to, ...from].map(({ measure }) => measure))].flatMap((measure) => {
    const [before, after] = [from, to].map((minima) => minima.find((one) => one.measure === measure));
    // Conditions that stay are said once, with the name.
    const changes = before && after && conditionsOf(before) !== conditionsOf(after);
    const [was, is] = [before, after].map(
      (one) => one && [amountIn(one, one.required), changes && conditionsOf(one)].filter(Boolean).join(", "),
    );
    if (was === is) return [];
    const title = changes ? text().person.minima[measure] : nameIn({ measure, ...before, ...after });
    return [{ id: measure, title, detail: fromTo(was, is) }];
  });
}

function examRows({ theory, had_skill_test, skill_test }: EnrollmentMigrationPreview) {
  const words = trainingText();
  const rules = [theory.from, theory.to].map((one) => (one === null ? words.theory.none : rulesIn(one)));
  const [before = "", after = ""] = rules;
  return [
    ...(before === after ? [] : [{ id: "theory", title: words.theory.title, detail: words.fromTo(before, after) }]),
    ...(had_skill_test === skill_test ? [] : [{ id: "test", title: skill_test ? words.testAdded : words.testDropped }]),
  ];
}

function scaleRows({ scales: { from, to } }: EnrollmentMigrationPreview) {
  const { fromTo } = trainingText();
  const [before, after] = [from, to].map((scales) => new Map(scales.map((scale) => [scale.code, gradesIn(scale)])));
  return [...new Set([...from, ...to].map(({ code }) => code))]
    .filter((code) => before?.get(code) !== after?.get(code))
    .map((code) => ({ id: code, title: code, detail: fromTo(before?.get(code), after?.get(code)) }));
}
