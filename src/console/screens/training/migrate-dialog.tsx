/** Moves a student to another revision, after a look at what that changes. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Enrollment, EnrollmentMigrationPreview } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changed, type Resource, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { amountOf } from "./meters.tsx";
import { useChosen } from "./use-chosen.ts";
import { trainingText } from "./words.ts";

export function MigrateDialog({ enrollment, onClose }: { enrollment: Enrollment; onClose: () => void }) {
  const words = trainingText();
  const { program_id: programId, revision_id: from } = enrollment;
  const revisions = useResource("GET /orgs/{orgId}/training/programs/{programId}/revisions", {
    path: { programId },
    query: { limit: 100 },
  });
  const others = (revisions.data?.data ?? []).filter(({ id, status }) => status === "published" && id !== from);
  const chosen = useSignal("");
  const to = others.find(({ id }) => id === chosen.value);
  useChosen(chosen, others);
  const path = { enrollmentId: enrollment.id };
  const preview = usePreview(enrollment.id, to?.id);
  const migrate = async () => {
    const name = "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/migrate";
    await act(name, { path, body: { revision_id: to?.id ?? "" } }, enrollment);
    onClose();
    await changed("/training");
    toast(words.migrated(enrollment.student.name, to?.number ?? 0));
  };
  return (
    <Dialog title={words.migrateTitle} onClose={onClose} wide>
      <Loaded resource={revisions}>
        {() =>
          others.length === 0 ? (
            <p>{words.noOtherRevision}</p>
          ) : (
            <Form onSubmit={migrate}>
              <SelectField
                name="revision_id"
                label={words.ofRevision}
                value={chosen}
                options={others.map(({ id, number, effective_from }) => ({
                  value: id,
                  label: words.revisionFrom(number, formatDay(effective_from)),
                }))}
              />
              <Loaded resource={preview}>{(data) => <Preview preview={data} />}</Loaded>
              <div class="form-actions">
                <Submit>{words.migrate}</Submit>
              </div>
            </Form>
          )
        }
      </Loaded>
    </Dialog>
  );
}

/** Asked once: after the move, which others may make meanwhile, there is nothing to preview. */
function usePreview(enrollmentId: string, to: string | undefined): Resource<EnrollmentMigrationPreview> {
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
function Preview({ preview: { lessons, items, minima } }: { preview: EnrollmentMigrationPreview }) {
  const words = trainingText();
  const { minima: names } = text().person;
  const lost = items.dropped.filter(({ done }) => done);
  const kept = items.kept.filter(({ done }) => done).length;
  const renamed = [...lessons.kept, ...items.kept].filter(({ name, new_name }) => name !== new_name);
  const before = new Map(minima.from.map(({ measure, required }) => [measure, required]));
  const changes = minima.to.filter(({ measure, required }) => before.get(measure) !== required);
  const gone = minima.from.filter(({ measure }) => !minima.to.some((one) => one.measure === measure));
  const parts = [
    {
      title: words.lost,
      rows: lost.map(({ lesson, code, name }) => ({
        id: `${lesson} ${code}`,
        title: name,
        detail: `${words.lesson} ${lesson}`,
        aside: <Badge tone="bad">{words.noLongerCounts}</Badge>,
      })),
    },
    {
      title: words.added,
      rows: [
        ...lessons.added.map(({ code, name }) => ({ id: code, title: `${code} ${name}` })),
        ...items.added.map(({ lesson, code, name }) => ({
          id: `${lesson} ${code}`,
          title: name,
          detail: `${words.lesson} ${lesson}`,
        })),
      ],
    },
    {
      title: words.dropped,
      rows: lessons.dropped.map(({ code, name }) => ({ id: code, title: `${code} ${name}` })),
    },
    {
      title: words.renamed,
      rows: renamed.map(({ name, new_name }, at) => ({ id: String(at), title: new_name, detail: name })),
    },
    {
      title: words.minima,
      rows: [
        ...changes.map(({ measure, required }) => ({
          id: measure,
          title: names[measure],
          detail: words.fromTo(amountOf(measure, before.get(measure) ?? 0), amountOf(measure, required)),
        })),
        ...gone.map(({ measure, required }) => ({
          id: measure,
          title: names[measure],
          detail: words.fromTo(amountOf(measure, required), "–"),
        })),
      ],
    },
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
