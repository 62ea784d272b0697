/** The scans of a record: of a document that was photographed, or of a file. A medical has none, since it is health data. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Attachment } from "../../api/operations.ts";
import { download } from "../../app/download.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { call, client } from "../../app/session.ts";
import { FileField } from "../../ui/file-field.tsx";
import { accepted, Files } from "../maintenance/files.tsx";

const list = "GET /orgs/{orgId}/compliance/records/{recordId}/attachments";

/** @throws Problem, Unreachable */
export const attachToRecord = (recordId: string, file: File) =>
  call("POST /orgs/{orgId}/compliance/records/{recordId}/attachments", {
    path: { recordId },
    query: { filename: file.name },
    body: file,
  });

/** A file, or on a phone the camera. */
export function ScanField({ value }: { value: Signal<File | undefined> }) {
  const { compliance: words } = text();
  return (
    <fieldset class="field wide">
      <legend>{words.scan}</legend>
      <div class="title-line">
        <span class="phone">
          <FileField label={words.takePhoto} value={value} accept="image/jpeg,image/png" isCamera />
        </span>
        <FileField label={words.chooseFile} value={value} accept={accepted} />
      </div>
    </fieldset>
  );
}

export function Scans({ recordId, canAdd }: { recordId: string; canAdd: boolean }) {
  const path = { recordId };
  const resource = useResource(list, { path });
  const image = resource.data?.data.find(({ media_type }) => media_type.startsWith("image/"));
  return (
    <>
      {image && <Picture recordId={recordId} file={image} />}
      <Files
        {...{ resource, canAdd }}
        add={(file) => attachToRecord(recordId, file)}
        get={({ id, filename }) =>
          download(`${list}/{attachmentId}/content`, { path: { ...path, attachmentId: id }, name: filename })
        }
      />
    </>
  );
}

/** The newest picture, which needs the session to be fetched. Without it, the file can still be downloaded. */
function Picture({ recordId, file: { id, filename } }: { recordId: string; file: Attachment }) {
  const address = useSignal<string | undefined>(undefined);
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    const show = async () => {
      const path = { recordId, attachmentId: id };
      const response = await client.request(`${list}/{attachmentId}/content`, { path }, { accept: "*/*" });
      const content = await response.blob();
      if (isGone) return;
      made = URL.createObjectURL(content);
      address.value = made;
    };
    show().catch(() => undefined);
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [id]);
  return address.value === undefined ? null : <img class="scan" src={address.value} alt={filename} />;
}
