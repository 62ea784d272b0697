/** What is wrong with an aircraft: reported, also with a photo, deferred, rectified. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Attachment, Defect } from "../../api/operations.ts";
import { download } from "../../app/download.ts";
import { formatDate, formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { CheckField, Form, Submit, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";

const tones: Record<Defect["status"], Tone> = { open: "bad", deferred: "warn", rectified: "good" };
const rank: Record<Defect["status"], number> = { open: 0, deferred: 1, rectified: 2 };

export function Defects({ aircraftId, canReport }: { aircraftId: string; canReport: boolean }) {
  const { aircraft: words } = text();
  const defects = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}/defects", { path: { aircraftId } });
  const isReporting = useSignal(false);
  const shown = useSignal<Defect | undefined>(undefined);
  const report = (
    <Button
      kind="plain"
      icon="plus"
      onClick={() => {
        isReporting.value = true;
      }}
    >
      {words.report}
    </Button>
  );
  return (
    <Section title={words.defects} actions={canReport && may("defects:report") && report}>
      <Loaded resource={defects}>
        {({ data }) => (
          <Rows
            label={words.defects}
            empty={words.noDefects}
            most={5}
            rows={data
              .toSorted((a, b) => rank[a.status] - rank[b.status])
              .map((defect) => ({
                id: defect.id,
                title: defect.description,
                detail: [
                  words.reportedOn(formatDate(defect.created_at)),
                  defect.status !== "rectified" && defect.grounding && words.isGrounding,
                  defect.deferred_until !== null && words.deferredUntil(formatDay(defect.deferred_until)),
                  defect.deferral_reason,
                ]
                  .filter(Boolean)
                  .join(" · "),
                aside: (
                  <>
                    <Badge tone={tones[defect.status]}>{words.defectStatuses[defect.status]}</Badge>
                    <Button
                      kind="plain"
                      onClick={() => {
                        shown.value = defect;
                      }}
                    >
                      {words.files}
                      <span class="visually-hidden"> {defect.description}</span>
                    </Button>
                  </>
                ),
              }))}
          />
        )}
      </Loaded>
      {isReporting.value && (
        <ReportDialog
          aircraftId={aircraftId}
          onClose={() => {
            isReporting.value = false;
          }}
        />
      )}
      {shown.value && (
        <FilesDialog
          defect={shown.value}
          onClose={() => {
            shown.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

const accepted = "image/jpeg,image/png,application/pdf";

/** @throws Problem, Unreachable */
const attach = (path: { aircraftId: string; defectId: string }, file: File) =>
  call("POST /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}/attachments", {
    path,
    query: { filename: file.name },
    body: file,
  });

function ReportDialog({ aircraftId, onClose }: { aircraftId: string; onClose: () => void }) {
  const { aircraft: words } = text();
  const description = useSignal("");
  const grounding = useSignal(false);
  const photo = useSignal<File | undefined>(undefined);
  // A report whose photo failed is not sent again.
  const reported = useRef<Defect>(undefined);
  const send = async () => {
    const path = { aircraftId };
    const body = { description: description.value, grounding: grounding.value };
    reported.current ??= (await call("POST /orgs/{orgId}/aircraft/{aircraftId}/defects", { path, body })).data;
    await changed("/aircraft", "/maintenance");
    if (photo.value) await attach({ aircraftId, defectId: reported.current.id }, photo.value);
    toast(words.reported);
    onClose();
  };
  return (
    <Dialog title={words.reportTitle} onClose={onClose}>
      <Form onSubmit={send}>
        <TextField name="description" label={words.description} value={description} required multiline autoFocus />
        <FileField label={words.photo} value={photo} accept={accepted} />
        <CheckField name="grounding" label={words.mustNotFly} value={grounding} />
        <div class="form-actions">
          <Submit>{words.reportSubmit}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}

function FilesDialog({ defect, onClose }: { defect: Defect; onClose: () => void }) {
  const { aircraft: words } = text();
  const path = { aircraftId: defect.aircraft_id, defectId: defect.id };
  const files = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}/attachments", { path });
  const chosen = useSignal<File | undefined>(undefined);
  const get = ({ id, filename }: Attachment) =>
    download("GET /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}/attachments/{attachmentId}/content", {
      path: { ...path, attachmentId: id },
      name: filename,
    });
  return (
    <Dialog title={words.files} onClose={onClose}>
      <p class="quiet">{defect.description}</p>
      <Loaded resource={files}>
        {({ data }) => (
          <Rows
            label={words.files}
            empty={words.noFiles}
            rows={data.map((file) => ({
              id: file.id,
              title: file.filename,
              detail: formatDate(file.created_at),
              aside: (
                <Button kind="plain" icon="download" onClick={() => get(file)}>
                  {text().actions.open}
                </Button>
              ),
            }))}
          />
        )}
      </Loaded>
      {may("defects:report", "maintenance:manage") && (
        <Form
          label={words.addFile}
          onSubmit={async () => {
            if (!chosen.value) return;
            await attach(path, chosen.value);
            chosen.value = undefined;
            await files.reload();
          }}
        >
          <FileField label={words.photo} value={chosen} accept={accepted} />
          {chosen.value && (
            <div class="form-actions">
              <Submit>{words.addFile}</Submit>
            </div>
          )}
        </Form>
      )}
    </Dialog>
  );
}
