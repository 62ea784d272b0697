/** Files of the API, by fetch: a link has no session. */
import type { OperationName } from "../api/client.ts";
import { failed } from "../ui/failed.ts";
import { client } from "./session.ts";

const mediaTypes = { csv: "text/csv", pdf: "application/pdf" } as const;

export interface Wanted {
  path?: Readonly<Record<string, string>>;
  query?: unknown;
  body?: unknown;
  /** Another form than the operation's usual one. */
  as?: keyof typeof mediaTypes;
  /** The file's name, if the answer gives none. */
  name: string;
}

/** Downloads a file. A failure is told in a message. */
export async function download(operation: OperationName, wanted: Wanted): Promise<void> {
  await fetchFile(operation, wanted).catch(failed);
}

/** As `download`, for a form, which shows the problem. */
export async function fetchFile(operation: OperationName, { path, query, body, as, name }: Wanted): Promise<void> {
  const headers: Record<string, string> = as === undefined ? { accept: "*/*" } : { accept: mediaTypes[as] };
  const response = await client.request(operation, { path, query, body }, headers);
  save(await response.blob(), nameIn(response.headers.get("content-disposition")) ?? name);
}

const nameIn = (disposition: string | null): string | undefined => /filename="([^"]+)"/.exec(disposition ?? "")?.[1];

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Browsers begin to read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
