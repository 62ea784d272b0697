import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Leaves no part of a file when the disk is full. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  try {
    const file = await open(path, "w", 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

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
  await writeWhole(temporary, bytes);
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
