/** The files of a record, a defect or a work order: photos are seen at once, other files are downloaded. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Attachment } from "../api/operations.ts";
import { formatDate } from "../app/format.ts";
import { text } from "../app/language.ts";
import type { Resource } from "../app/resource.ts";
import { Button } from "./button.tsx";
import { ChooseFile } from "./choose-file.tsx";
import { failed } from "./failed.ts";
import { Rows } from "./rows.tsx";
import { Loaded } from "./section.tsx";

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
  const { files: words, actions } = text();
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
            label={words.title}
            empty={words.none}
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
      {canAdd && (
        <div>
          <ChooseFile onChoose={send} />
          <p class="quiet small" role="status">
            {isSending.value > 0 && words.sending}
          </p>
        </div>
      )}
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
