import { upgradeFirst } from "../migrations.ts";
import { type Checker, Unreadable } from "./checker.ts";
import { fileNote } from "./file-note.ts";

/**
 * Checks the control database before it is opened, unless it is the file of the last orderly stop.
 *
 * @param kept the note of that stop
 * @throws an error that names the faults, for the operator
 */
export async function requireSoundControl(
  path: string,
  checker: Pick<Checker, "check">,
  kept: string | null | undefined,
): Promise<void> {
  const note = fileNote(path);
  if (note === undefined || note === kept) return;
  const { faults } = await checker.check(path, { kind: "control" }).catch((cause: unknown) => {
    throw new Unreadable(`${path} can't be checked: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  });
  if (faults.length > 0) {
    if (faults.some((fault) => fault.endsWith(upgradeFirst))) throw new Unreadable(`${path}: ${faults.join("\n")}`);
    throw new Unreadable(
      [`${path} is damaged:`, ...faults.map((fault) => `  ${fault}`), "Restore it from a backup."].join("\n"),
    );
  }
}
