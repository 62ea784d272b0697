/** A button that downloads a file of the API: of a list, all that its filters find, not only the page that is shown. */
import type { ComponentChildren } from "preact";
import type { OperationName } from "../api/client.ts";
import { download, type Wanted } from "../app/download.ts";
import { Button } from "./button.tsx";

interface DownloadProps extends Wanted {
  from: OperationName;
  children: ComponentChildren;
}

export const Download = ({ from, children, ...wanted }: DownloadProps) => (
  <Button kind="plain" icon="download" onClick={() => download(from, wanted)}>
    {children}
  </Button>
);
