import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isId } from "../core/ids.ts";

/** The number of files that the message names. */
const named = 5;

/**
 * Refuses to begin a new installation beside the files of schools: without `control.db` nobody could sign in to them. A file without
 * records counts, too: there is no sign-up before there is a `control.db`.
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
  const files = (await readdir(directory)).filter((name) => name.endsWith(".db") && isId(name.replace(/\.db$/, "")));
  if (files.length === 0) return;
  const rest = files.length > named ? ` and ${files.length - named} more` : "";
  throw new Error(
    [
      `${path} is ${size === 0 ? "empty" : "missing"}, but ${directory} has ${files.length === 1 ? "the file of a school" : `the files of ${files.length} schools`}:`,
      `  ${files.slice(0, named).join(", ")}${rest}`,
      "Restore control.db from a backup, or begin a new one for these schools: `windsock control rebuild --owner EMAIL`.",
      "For a new installation, move these files to another folder.",
    ].join("\n"),
  );
}
