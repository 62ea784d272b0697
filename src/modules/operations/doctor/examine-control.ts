import { join } from "node:path";
import type { Problem } from "../../../core/errors.ts";
import { type Finding, fault } from "../../../core/finding.ts";
import { fileIdentity } from "../../../storage/file-identity.ts";

/**
 * What `windsock doctor` finds of `control.db` under a running server. It reads on from the file that it has open, so nothing else
 * here would notice that the file has lost its name.
 *
 * @param problem why requests fail in general, see `Storage`
 */
export function examineControl(directory: string, problem: Problem | undefined): Finding[] {
  // A full disk, or a directory that is gone, is found where the disk is.
  if (problem === undefined || problem.reason === "disk_full" || fileIdentity(directory) === undefined) return [];
  const path = join(directory, "control.db");
  const isMissing = fileIdentity(path) === undefined;
  const what = isMissing ? "is missing" : "is damaged, or was replaced while the server runs";
  const remedy =
    "Stop the server, restore it from a backup (`windsock restore`), and start again. Without a backup: `windsock control rebuild --owner EMAIL`.";
  return [
    fault("control.db", `${path} ${what}. The server writes nothing more.`, remedy, {
      code: "control_missing",
      params: { path },
    }),
  ];
}
