/** The students of a draft's programme, and what a move to the draft would change for each: to be seen before it is published. */
import { useSignal } from "@preact/signals";
import type { Enrollment, TrainingRevision } from "../../api/operations.ts";
import { useResource } from "../../app/resource.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { MigrationPreview, usePreview } from "./migration-preview.tsx";
import { trainingText } from "./words.ts";

interface DraftStudentsProps {
  revision: Pick<TrainingRevision, "id" | "program_id">;
  /** Something was changed, and is not saved: the server does not know it. */
  isChanged: boolean;
}

export function DraftStudents({ revision, isChanged }: DraftStudentsProps) {
  const words = trainingText();
  const shown = useSignal<Enrollment | undefined>(undefined);
  const enrollments = useResource("GET /orgs/{orgId}/training/enrollments", {
    query: { program_id: revision.program_id, status: "active", limit: 500 },
  });
  return (
    <Section title={words.draftFor}>
      <p class="quiet small">{words.draftForHint}</p>
      <div class="short-rows">
        <Loaded resource={enrollments}>
          {({ data }) => (
            <Rows
              label={words.draftFor}
              empty={words.nobodyIn}
              most={20}
              rows={data.map((enrollment) => ({
                id: enrollment.id,
                title: enrollment.student.name,
                detail: words.revision(enrollment.revision_number),
                aside: (
                  <Button
                    kind="plain"
                    onClick={() => {
                      shown.value = enrollment;
                    }}
                  >
                    {words.whatChanges}
                    <span class="visually-hidden"> {enrollment.student.name}</span>
                  </Button>
                ),
              }))}
            />
          )}
        </Loaded>
      </div>
      {shown.value && (
        <Shown
          enrollment={shown.value}
          {...{ revision, isChanged }}
          onClose={() => {
            shown.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

function Shown({
  enrollment,
  revision,
  isChanged,
  onClose,
}: DraftStudentsProps & { enrollment: Enrollment; onClose: () => void }) {
  const words = trainingText();
  const preview = usePreview(enrollment.id, revision.id);
  return (
    <Dialog title={words.whatChangesFor(enrollment.student.name)} onClose={onClose} wide>
      {isChanged && <p class="notice warn">{words.withoutUnsaved}</p>}
      <Loaded resource={preview}>{(data) => <MigrationPreview preview={data} />}</Loaded>
    </Dialog>
  );
}
