/** One revision of a programme. A draft is edited here; others are read. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SyllabusOutput, TrainingRevision } from "../../api/operations.ts";
import { formatDay } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import type { Parameters } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { RevisionActions, revisionTones } from "./program.tsx";
import { SyllabusEditor } from "./syllabus-editor.tsx";
import { SyllabusView } from "./syllabus-view.tsx";
import { trainingText } from "./words.ts";

interface Read {
  revision: TrainingRevision;
  syllabus: SyllabusOutput;
}

export default function RevisionPage({ programId = "", revisionId = "" }: Parameters) {
  const words = trainingText();
  const path = { programId, revisionId };
  const { data, problem, reload } = useResource(
    "GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}",
    { path },
  );
  const revision = data?.data;
  // The syllabus is read after the revision: if somebody else changes it in between, the tag of the revision is the older one.
  const read = useSignal<Read | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const load = async (of: TrainingRevision) => {
    failure.value = undefined;
    await call("GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}/export", { path }).then(
      ({ data: syllabus }) => {
        read.value = { revision: of, syllabus };
      },
      (error) => {
        failure.value = error;
      },
    );
  };
  useEffect(() => {
    if (revision) void load(revision);
  }, [revision]);
  if (problem !== undefined && !revision) return <ProblemNotice error={problem} retry={reload} />;
  const isEdited = may("training:manage") && revision?.status === "draft";
  return (
    <>
      <div class="page-head">
        <div>
          <div class="title-line">
            <h1>
              {revision ? `${revision.program_name}, ${words.revision(revision.number)}` : <Skeleton lines={1} />}
            </h1>
            {revision && <Badge tone={revisionTones[revision.status]}>{words.revisionStates[revision.status]}</Badge>}
          </div>
          {revision && (
            <p class="quiet">
              <a href={`/app/training/programs/${programId}`}>
                {words.program} {revision.program_name}
              </a>{" "}
              · {words.inEffect(formatDay(revision.effective_from))}
            </p>
          )}
        </div>
        {revision && (
          <div class="actions">
            <RevisionActions revision={revision} />
          </div>
        )}
      </div>
      {failure.value !== undefined && <ProblemNotice error={failure.value} retry={() => revision && load(revision)} />}
      {read.value === undefined ? (
        failure.value === undefined && <Skeleton lines={8} />
      ) : isEdited ? (
        <SyllabusEditor {...read.value} />
      ) : (
        <SyllabusView syllabus={read.value.syllabus} />
      )}
    </>
  );
}
