/** The scans of a record: of a document that was photographed, or of a file. A medical has none, since it is health data. */
import type { Signal } from "@preact/signals";
import { download } from "../../app/download.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { ChooseFile } from "../../ui/choose-file.tsx";
import { Files } from "../../ui/files.tsx";

const list = "GET /orgs/{orgId}/compliance/records/{recordId}/attachments";

/** @throws Problem, Unreachable */
export const attachToRecord = (recordId: string, file: File) =>
  call("POST /orgs/{orgId}/compliance/records/{recordId}/attachments", {
    path: { recordId },
    query: { filename: file.name },
    body: file,
  });

/** One file, which is sent with the record. */
export function ScanField({ value }: { value: Signal<File | undefined> }) {
  const { compliance: words } = text();
  return (
    <fieldset class="field wide">
      <legend>{words.scan}</legend>
      <div class="title-line">
        <ChooseFile
          onChoose={(file) => {
            value.value = file;
          }}
        />
        {value.value && <span class="as-written">{value.value.name}</span>}
      </div>
    </fieldset>
  );
}

export function Scans({ recordId, canAdd }: { recordId: string; canAdd: boolean }) {
  const path = { recordId };
  return (
    <Files
      resource={useResource(list, { path })}
      canAdd={canAdd}
      add={(file) => attachToRecord(recordId, file)}
      get={({ id, filename }) =>
        download(`${list}/{attachmentId}/content`, { path: { ...path, attachmentId: id }, name: filename })
      }
      read={({ id }) => call(`${list}/{attachmentId}/content`, { path: { ...path, attachmentId: id } })}
    />
  );
}
