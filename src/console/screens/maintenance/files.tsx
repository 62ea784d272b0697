/** The files of a defect or a work order: photos, and what the workshop has signed. */
import { useSignal } from "@preact/signals";
import type { Attachment } from "../../api/operations.ts";
import { download } from "../../app/download.ts";
import { formatDate } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { type Resource, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";

export const accepted = "image/jpeg,image/png,application/pdf";

interface FilesProps {
  resource: Resource<{ data: Attachment[] }>;
  canAdd: boolean;
  add: (file: File) => Promise<unknown>;
  get: (file: Attachment) => Promise<void>;
}

export function Files({ resource, canAdd, add, get }: FilesProps) {
  const { aircraft: words, actions } = text();
  const chosen = useSignal<File | undefined>(undefined);
  const send = async () => {
    if (!chosen.value) return;
    await add(chosen.value);
    chosen.value = undefined;
    await resource.reload();
  };
  return (
    <>
      <Loaded resource={resource}>
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
                  {actions.open}
                  <span class="visually-hidden"> {file.filename}</span>
                </Button>
              ),
            }))}
          />
        )}
      </Loaded>
      {canAdd && (
        <Form label={words.addFile} onSubmit={send}>
          <FileField label={words.photo} value={chosen} accept={accepted} />
          {chosen.value && (
            <div class="form-actions">
              <Submit>{words.addFile}</Submit>
            </div>
          )}
        </Form>
      )}
    </>
  );
}

type DefectPath = { aircraftId: string; defectId: string };

/** @throws Problem, Unreachable */
export const attachToDefect = (path: DefectPath, file: File) =>
  call("POST /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}/attachments", {
    path,
    query: { filename: file.name },
    body: file,
  });

export function DefectFiles({ path, canAdd }: { path: DefectPath; canAdd: boolean }) {
  const name = "GET /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}/attachments";
  return (
    <Files
      resource={useResource(name, { path })}
      canAdd={canAdd}
      add={(file) => attachToDefect(path, file)}
      get={({ id, filename }) =>
        download(`${name}/{attachmentId}/content`, { path: { ...path, attachmentId: id }, name: filename })
      }
    />
  );
}

export function WorkOrderFiles({ workOrderId, canAdd }: { workOrderId: string; canAdd: boolean }) {
  const path = { workOrderId };
  const name = "GET /orgs/{orgId}/maintenance/work-orders/{workOrderId}/attachments";
  return (
    <Files
      resource={useResource(name, { path })}
      canAdd={canAdd}
      add={(body) =>
        call("POST /orgs/{orgId}/maintenance/work-orders/{workOrderId}/attachments", {
          path,
          query: { filename: body.name },
          body,
        })
      }
      get={({ id, filename }) =>
        download(`${name}/{attachmentId}/content`, { path: { ...path, attachmentId: id }, name: filename })
      }
    />
  );
}
