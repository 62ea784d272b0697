/** One programme: its revisions, and which students are in which. */
import { useSignal } from "@preact/signals";
import type { Enrollment, TrainingRevision } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { today } from "../../app/days.ts";
import { formatDay } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go, type Parameters } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { failed } from "../../ui/failed.ts";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { MigrateDialog } from "./migrate-dialog.tsx";
import { trainingText } from "./words.ts";

export const revisionTones: Record<TrainingRevision["status"], Tone> = {
  draft: "warn",
  published: "good",
  retired: "neutral",
};

export default function ProgramPage({ programId = "" }: Parameters) {
  const words = trainingText();
  const path = { programId };
  const found = useResource("GET /orgs/{orgId}/training/programs/{programId}", { path });
  const revisions = useResource("GET /orgs/{orgId}/training/programs/{programId}/revisions", {
    path,
    query: { limit: 100 },
  });
  const program = found.data?.data;
  if (found.problem !== undefined && !program) return <ProblemNotice error={found.problem} retry={found.reload} />;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{program?.name ?? <Skeleton lines={1} />}</h1>
          {program && words.programKinds[program.kind] !== program.name && (
            <p class="quiet">{words.programKinds[program.kind]}</p>
          )}
        </div>
      </div>
      <div class="columns">
        <div>
          <Section title={words.revisions}>
            <Loaded resource={revisions}>
              {({ data }) => (
                <Rows
                  label={words.revisions}
                  empty={words.noRevisions}
                  rows={data.map((revision) => ({
                    id: revision.id,
                    href: `/app/training/programs/${programId}/revisions/${revision.id}`,
                    title: words.revision(revision.number),
                    detail: [
                      words.inEffect(formatDay(revision.effective_from)),
                      words.lessonCount(revision.lesson_count),
                      words.missingItems(revision.item_count),
                    ].join(" · "),
                    aside: (
                      <>
                        <Badge tone={revisionTones[revision.status]}>{words.revisionStates[revision.status]}</Badge>
                        <RevisionActions revision={revision} />
                      </>
                    ),
                  }))}
                />
              )}
            </Loaded>
          </Section>
        </div>
        <div>
          <Students programId={programId} revisions={revisions.data?.data ?? []} />
        </div>
      </div>
    </>
  );
}

/** What whoever manages training does with a revision. */
export function RevisionActions({ revision }: { revision: TrainingRevision }) {
  const words = trainingText();
  const asked = useSignal<"publish" | "retire" | "remove" | undefined>(undefined);
  if (!may("training:manage")) return null;
  const path = { programId: revision.program_id, revisionId: revision.id };
  const ask = (what: typeof asked.value) => () => {
    asked.value = what;
  };
  const copy = async () => {
    const name = "GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}/export";
    const { data: syllabus } = await call(name, { path });
    // The day of the old one would say that the change has been in effect since then.
    const body = { ...syllabus, effective_from: today() };
    const { data } = await call("POST /orgs/{orgId}/training/programs/{programId}/revisions", { path, body });
    await changed("/training");
    go(`/app/training/programs/${data.program_id}/revisions/${data.id}`);
  };
  const done = async (said: string) => {
    await changed("/training");
    toast(said);
  };
  const template = "/orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}";
  return (
    <>
      {revision.status === "draft" ? (
        <>
          <Button kind="primary" onClick={ask("publish")}>
            {words.publish}
          </Button>
          <Button kind="plain" onClick={ask("remove")}>
            {words.removeDraft}
          </Button>
        </>
      ) : (
        <Button onClick={() => copy().catch(failed)}>{words.newDraft}</Button>
      )}
      {revision.status === "published" && (
        <Button kind="plain" onClick={ask("retire")}>
          {words.retire}
        </Button>
      )}
      {asked.value === "publish" && (
        <Confirm
          title={words.publishTitle(revision.number)}
          action={words.publish}
          onClose={ask(undefined)}
          onConfirm={async () => {
            await act(`POST ${template}/publish`, { path }, revision);
            await done(words.published);
          }}
        >
          {words.publishHint}
        </Confirm>
      )}
      {asked.value === "retire" && (
        <Confirm
          title={words.retireTitle(revision.number)}
          action={words.retire}
          onClose={ask(undefined)}
          onConfirm={async () => {
            await act(`POST ${template}/retire`, { path }, revision);
            await done(words.retiredDone);
          }}
        >
          {words.retireHint}
        </Confirm>
      )}
      {asked.value === "remove" && (
        <Confirm
          title={words.removeDraftTitle}
          action={words.removeDraft}
          onClose={ask(undefined)}
          onConfirm={async () => {
            await act(`DELETE ${template}`, { path }, revision);
            go(`/app/training/programs/${revision.program_id}`);
            await done(words.draftRemoved);
          }}
        >
          {words.removeDraftHint}
        </Confirm>
      )}
    </>
  );
}

/** Those who are in an older revision can be moved, after a look at what that changes. */
function Students({ programId, revisions }: { programId: string; revisions: readonly TrainingRevision[] }) {
  const words = trainingText();
  const moving = useSignal<Enrollment | undefined>(undefined);
  const enrollments = useResource("GET /orgs/{orgId}/training/enrollments", {
    query: { program_id: programId, status: "active", limit: 500 },
  });
  const newest = Math.max(0, ...revisions.filter((one) => one.status === "published").map(({ number }) => number));
  return (
    <Section title={words.students}>
      <div class="short-rows">
        <Loaded resource={enrollments}>
          {({ data }) => (
            <Rows
              label={words.students}
              empty={words.nobodyIn}
              most={20}
              rows={data.map((enrollment) => ({
                id: enrollment.id,
                href: `/app/training/${enrollment.id}`,
                title: enrollment.student.name,
                detail: words.revision(enrollment.revision_number),
                aside: may("training:manage") && enrollment.revision_number < newest && (
                  <Button
                    onClick={() => {
                      moving.value = enrollment;
                    }}
                  >
                    {words.migrate}
                    <span class="visually-hidden"> {enrollment.student.name}</span>
                  </Button>
                ),
              }))}
            />
          )}
        </Loaded>
      </div>
      {moving.value && (
        <MigrateDialog
          enrollment={moving.value}
          onClose={() => {
            moving.value = undefined;
          }}
        />
      )}
    </Section>
  );
}
