import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isId } from "../core/ids.ts";
import { openReadOnly } from "./check/check-file.ts";

/** The number of files that the message names. */
const named = 5;

/**
 * Refuses to begin a new installation beside the files of schools: without `control.db` nobody could sign in to them.
 *
 * @throws an error that names the files, for the operator
 */
export async function requireControl(directory: string): Promise<void> {
  const path = join(directory, "control.db");
  const size = await stat(path).then(
    (stats) => stats.size,
    () => undefined,
  );
  if (size !== undefined && size > 0) return;
  const names = (await readdir(directory)).filter((name) => isId(name.replace(/\.db$/, "")) && name.endsWith(".db"));
  const files = names.filter((name) => hasRecords(join(directory, name)));
  if (files.length === 0) return;
  const rest = files.length > named ? ` and ${files.length - named} more` : "";
  throw new Error(
    [
      `${path} is ${size === 0 ? "empty" : "missing"}, but ${directory} has the files of ${files.length} schools:`,
      `  ${files.slice(0, named).join(", ")}${rest}`,
      "Restore control.db from a backup, or begin a new one for these schools: `windsock control rebuild --owner EMAIL`.",
      "For a new installation, move these files to another folder.",
    ].join("\n"),
  );
}

/** A file that can't be read may have some. */
function hasRecords(path: string): boolean {
  try {
    const connection = openReadOnly(path);
    try {
      return connection.first("select seq from audit_log limit 1", []) !== undefined;
    } finally {
      connection.close();
    }
  } catch {
    return true;
  }
}
