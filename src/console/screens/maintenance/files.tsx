/** The files of a defect or a work order: photos, which are seen at once, and what the workshop has signed. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Attachment } from "../../api/operations.ts";
import { download } from "../../app/download.ts";
import { formatDate } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { type Resource, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { failed } from "../../ui/failed.ts";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";
import { TakePhoto } from "./take-photo.tsx";
import { maintenanceText } from "./words.ts";

export const accepted = "image/jpeg,image/png,application/pdf";

interface FilesProps {
  resource: Resource<{ data: Attachment[] }>;
  canAdd: boolean;
  add: (file: File) => Promise<unknown>;
  /** Downloads it. */
  get: (file: Attachment) => Promise<void>;
  /** Of photos that are seen in the list. @throws Problem, Unreachable */
  read?: (file: Attachment) => Promise<Blob>;
}

export function Files({ resource, canAdd, add, get, read }: FilesProps) {
  const { aircraft: words, actions } = text();
  const { sending } = maintenanceText();
  const isSending = useSignal(0);
  const send = async (file: File) => {
    isSending.value += 1;
    await add(file).then(() => resource.reload(), failed);
    isSending.value -= 1;
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
              detail: (
                <>
                  {[formatDate(file.created_at), file.uploaded_by_name].filter(Boolean).join(" · ")}
                  {read && file.media_type !== "application/pdf" && <Photo file={file} read={read} />}
                </>
              ),
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
      {canAdd && <TakePhoto accept={accepted} onTake={send} />}
      <p class="quiet small" role="status">
        {isSending.value > 0 && sending}
      </p>
    </>
  );
}

/** By fetch: an image of the page has no session. */
function Photo({ file, read }: Required<Pick<FilesProps, "read">> & { file: Attachment }) {
  const address = useSignal<string | undefined>(undefined);
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    read(file).then(
      (content) => {
        if (isGone) return;
        made = URL.createObjectURL(content);
        address.value = made;
      },
      // It can still be downloaded, which says what is wrong.
      () => undefined,
    );
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [file.id]);
  return address.value === undefined ? null : <img class="photo" src={address.value} alt={file.filename} />;
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
      read={({ id }) => call(`${name}/{attachmentId}/content`, { path: { ...path, attachmentId: id } })}
    />
  );
}

/** What was attached to the report, to be seen where it is mended; nothing if there is nothing. */
export function DefectPhotos({ path }: { path: DefectPath }) {
  const { data } = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}/attachments", { path });
  return data?.data.length ? <DefectFiles path={path} canAdd={false} /> : null;
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
      read={({ id }) => call(`${name}/{attachmentId}/content`, { path: { ...path, attachmentId: id } })}
    />
  );
}
