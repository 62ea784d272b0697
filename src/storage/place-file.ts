import { open, rename } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes `bytes` to `path` atomically: a crash leaves the whole file or none. Writes a temporary file, syncs it, renames
 * it, and syncs the folder.
 */
export async function placeFile(
  path: string,
  bytes: Buffer,
  step: (name: string) => void = () => undefined,
): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  step("tenant file: written");
  await rename(temporary, path);
  const folder = await open(join(path, ".."));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  step("tenant file: renamed");
}
