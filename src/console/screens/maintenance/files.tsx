/** The files of a defect and of a work order: photos, and what the workshop has signed. */
import { download } from "../../app/download.ts";
import { useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Files } from "../../ui/files.tsx";

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
