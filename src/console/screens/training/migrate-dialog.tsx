/** Moves a student to another revision, after a look at what that changes. */
import { useSignal } from "@preact/signals";
import type { Enrollment } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { formatDay } from "../../app/format.ts";
import { changed, useResource } from "../../app/resource.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit } from "../../ui/form.tsx";
import { Loaded } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { MigrationPreview, usePreview } from "./migration-preview.tsx";
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
              <Loaded resource={preview}>{(data) => <MigrationPreview preview={data} />}</Loaded>
              <div class="form-actions">
                <Submit>{words.migrateTo(to?.number ?? 0)}</Submit>
              </div>
            </Form>
          )
        }
      </Loaded>
    </Dialog>
  );
}
