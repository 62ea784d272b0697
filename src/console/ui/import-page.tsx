/** The page of an import, which leads to the list of what was imported. */
import type { ImportReport } from "../api/operations.ts";
import { text } from "../app/language.ts";
import { changed } from "../app/resource.ts";
import { go } from "../app/router.ts";
import { ImportFile, type ImportFileProps } from "./import-file.tsx";
import { toast } from "./toast.tsx";

interface ImportPageProps extends Omit<ImportFileProps, "onDone"> {
  title: string;
  /** The path of the list, in the API and in the console. */
  list: "/aircraft" | "/flights" | "/people";
}

export function ImportPage({ title, list, ...file }: ImportPageProps) {
  const { imports } = text();
  const leave = async ({ created, updated }: ImportReport) => {
    await changed(list);
    toast(imports.done(created, updated));
    go(`/app${list}`);
  };
  return (
    <>
      <div class="page-head">
        <h1>{title}</h1>
      </div>
      <ImportFile {...file} onDone={leave} />
    </>
  );
}
