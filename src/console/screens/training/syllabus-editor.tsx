/** The draft of a syllabus, edited: phases and lessons in their order, minima, exams, grading scales, and what the revision itself says. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { SyllabusOutput, TrainingRevision } from "../../api/operations.ts";
import { type Issue, Problem } from "../../api/problem.ts";
import { explainIssue } from "../../app/explain.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { client } from "../../app/session.ts";
import { keepTag, tagOf } from "../../app/tags.ts";
import { forgetInput, noteInput } from "../../app/unsaved.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import {
  changeOf,
  type Draft,
  type DraftLesson,
  draftOf,
  newKey,
  tooLate,
  withLesson,
  withoutLesson,
} from "./draft.ts";
import { DraftStudents } from "./draft-students.tsx";
import { LessonEditor } from "./lesson-editor.tsx";
import { MinimaEditor } from "./minima-editor.tsx";
import { PhasesEditor } from "./phases-editor.tsx";
import { RevisionFields } from "./revision-fields.tsx";
import { ScalesEditor } from "./scales-editor.tsx";
import { Sortable } from "./sortable.tsx";
import { TheoryEditor } from "./theory-editor.tsx";
import { trainingText } from "./words.ts";

interface SyllabusEditorProps {
  revision: TrainingRevision;
  syllabus: SyllabusOutput;
}

const lessonName = ({ code, name }: { code: string; name: string }) => `${code} ${name}`;

export function SyllabusEditor({ revision, syllabus }: SyllabusEditorProps) {
  const words = trainingText();
  const began = useMemo(() => draftOf(syllabus), []);
  const before = useSignal<Draft>(began);
  const draft = useSignal<Draft>(began);
  const tag = useSignal(tagOf(revision));
  const problem = useSignal<unknown>(undefined);
  const editing = useSignal<DraftLesson | undefined>(undefined);
  const typed = useMemo(() => ({}), []);
  const change = changeOf(before.value, draft.value);
  const isChanged = Object.keys(change).length > 0;

  const adopt = () => {
    const next = draftOf(syllabus);
    // What is the same keeps its keys: rows that are made anew lose the focus, and a drag that has begun.
    if (Object.keys(changeOf(before.value, next)).length > 0) before.value = next;
    draft.value = before.value;
    tag.value = tagOf(revision);
    problem.value = undefined;
  };
  // What others changed is taken over, unless something was changed here: also since this was drawn.
  useEffect(() => {
    if (Object.keys(changeOf(before.peek(), draft.peek())).length === 0) adopt();
  }, [syllabus]);
  useEffect(() => {
    if (isChanged) noteInput(typed);
    else forgetInput(typed);
  }, [isChanged]);
  useEffect(() => () => forgetInput(typed), []);

  const edit = (next: Draft) => {
    draft.value = next;
  };
  const save = async () => {
    problem.value = undefined;
    const sent = draft.value;
    try {
      const response = await client.request(
        "PATCH /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}",
        { path: { programId: revision.program_id, revisionId: revision.id }, body: change },
        tag.value === undefined ? {} : { "if-match": tag.value },
      );
      tag.value = (await tagAfter((await response.json()).data)) ?? tag.value;
      before.value = sent;
      await changed("/training");
      toast(text().actions.saved);
    } catch (error) {
      problem.value = error;
    }
  };
  const { lessons, phases, minima } = draft.value;
  return (
    <>
      <div class="columns">
        <div>
          <Section
            title={words.otherLessons}
            actions={
              <Button
                kind="plain"
                icon="plus"
                onClick={() => {
                  const key = newKey();
                  editing.value = { key, code: "", name: "", kind: "dual", phase: null, requires: [], items: [] };
                }}
              >
                {words.addLesson}
              </Button>
            }
          >
            {lessons.length === 0 && <p class="quiet">{words.noLessons}</p>}
            <Sortable
              label={words.otherLessons}
              rows={lessons}
              nameOf={lessonName}
              onSort={(sorted) => edit({ ...draft.value, lessons: sorted })}
            >
              {(lesson, at) => (
                <LessonRow
                  lesson={lesson}
                  phase={phases.find(({ code }) => code === lesson.phase)?.name}
                  late={tooLate(lessons, at)}
                  onOpen={() => {
                    editing.value = lesson;
                  }}
                />
              )}
            </Sortable>
          </Section>
        </div>
        <div>
          <RevisionFields draft={draft.value} onChange={edit} />
          <PhasesEditor draft={draft.value} onChange={edit} />
          <MinimaEditor minima={minima} onChange={(next) => edit({ ...draft.value, minima: next })} />
          <TheoryEditor draft={draft.value} onChange={edit} />
          <ScalesEditor draft={draft.value} onChange={edit} />
          <DraftStudents {...{ revision, isChanged }} />
        </div>
      </div>
      <div class="save-bar">
        {problem.value !== undefined && <SaveProblem error={problem.value} draft={draft.value} onTakeTheirs={adopt} />}
        <div class="form-actions">
          <Button kind="primary" busyText={text().actions.saving} onClick={() => (isChanged ? save() : undefined)}>
            {words.saveDraft}
          </Button>
          {isChanged ? (
            <>
              <Badge tone="warn">{words.notSaved}</Badge>
              <Button kind="plain" onClick={() => edit(before.value)}>
                {words.dropChanges}
              </Button>
            </>
          ) : (
            <Badge tone="good">{words.allSaved}</Badge>
          )}
        </div>
      </div>
      {editing.value && (
        <LessonEditor
          lesson={editing.value}
          draft={draft.value}
          onClose={() => {
            editing.value = undefined;
          }}
          onSet={(lesson) => edit(withLesson(draft.value, lesson))}
          onRemove={(lesson) => edit(withoutLesson(draft.value, lesson))}
        />
      )}
    </>
  );
}

/**
 * The tag of what was saved, which the answer of a change does not have: it is read. `undefined` if somebody was faster, so that the older
 * tag stays and the next change is refused. Without any tag it would be saved over theirs.
 */
async function tagAfter({ id, program_id, updated_at }: TrainingRevision): Promise<string | undefined> {
  const path = { programId: program_id, revisionId: id };
  const response = await client.request("GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}", {
    path,
  });
  const { data } = keepTag(await response.json(), response);
  return data.updated_at === updated_at ? tagOf(data) : undefined;
}

interface LessonRowProps {
  lesson: DraftLesson;
  phase: string | undefined;
  late: readonly string[];
  onOpen: () => void;
}

function LessonRow({ lesson, phase, late, onOpen }: LessonRowProps) {
  const words = trainingText();
  const { requires = [] } = lesson;
  return (
    <>
      <div class="row-text">
        <span class="row-title">
          <button type="button" aria-haspopup="dialog" onClick={onOpen}>
            {lessonName(lesson)}
          </button>
        </span>
        <span class="row-detail">
          {[
            phase,
            words.lessonKinds[lesson.kind],
            lesson.items.length > 0 && words.missingItems(lesson.items.length),
            requires.length > 0 && words.requires(requires.join(", ")),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      {late.length > 0 && <Badge tone="bad">{words.comesTooEarly(late.join(", "))}</Badge>}
      {lesson.items.length === 0 && <Badge tone="warn">{words.noExercises}</Badge>}
    </>
  );
}

interface SaveProblemProps {
  error: unknown;
  draft: Draft;
  onTakeTheirs: () => void;
}

/** Which part of the syllabus is meant; or that somebody else was faster. */
function SaveProblem({ error, draft, onTakeTheirs }: SaveProblemProps) {
  const words = trainingText();
  const isOutrun = error instanceof Problem && error.reason === "resource_changed";
  const issues = error instanceof Problem ? error.issues : [];
  return (
    <>
      {issues.length === 0 && <ProblemNotice error={error} />}
      {isOutrun && (
        <div>
          <Button onClick={onTakeTheirs}>{words.takeTheirs}</Button>
        </div>
      )}
      {issues.length > 0 && (
        <div class="notice bad" role="alert">
          <strong>{text().errors.title}</strong>
          <ul class="points">
            {issues.map((issue) => (
              <li key={issue.path}>{[whereOf(issue, draft), explainIssue(issue)].filter(Boolean).join(": ")}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function whereOf({ path }: Issue, draft: Draft): string {
  const [, part = "", at = ""] = /^(?:body\.)?(\w+)(?:\.(\d+))?/.exec(path) ?? [];
  const { person } = text();
  if (part === "lessons") return draft.lessons[Number(at)] ? lessonName(draft.lessons[Number(at)] as DraftLesson) : "";
  if (part === "phases") return draft.phases[Number(at)]?.name || trainingText().phaseName(Number(at) + 1);
  if (part === "subjects") return draft.subjects[Number(at)]?.name ?? "";
  if (part === "scales") return `${trainingText().scale} ${draft.scales[Number(at)]?.code ?? ""}`;
  if (part === "theory") return trainingText().theory.title;
  const measure = part === "minima" ? draft.minima[Number(at)]?.measure : undefined;
  return measure === undefined ? "" : person.minima[measure];
}
