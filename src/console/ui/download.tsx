/** A button that downloads a list as CSV: all that its filters find, not only the page that is shown. */
import type { OperationName } from "../api/client.ts";
import { text } from "../app/language.ts";
import { client } from "../app/session.ts";
import { Button } from "./button.tsx";
import { failed } from "./failed.ts";

interface DownloadProps {
  list: Extract<OperationName, `GET ${string}`>;
  /** Its filters, without those of the page. */
  query?: object;
  /** The name of the file, without `.csv`. */
  name: string;
}

export function DownloadCsv({ list, query, name }: DownloadProps) {
  const download = async () => {
    const response = await client.request(list, { query }, { accept: "text/csv" });
    save(await response.blob(), `${name}.csv`);
  };
  return (
    <Button icon="download" onClick={() => download().catch(failed)}>
      {text().actions.csv}
    </Button>
  );
}

/** Gives a file to the browser, as if it came from a link. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
