import { watch } from "node:fs";
import { open, readdir, readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** Waits until the folder has a file of this name. */
export function fileIn(folder: string, name: RegExp): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_, file) => {
      if (file === null || !name.test(file)) return;
      watcher.close();
      resolve();
    });
  });
}

/** Returns files that an orderly stop would have removed: the socket, and `-wal` files. */
export async function unfinished(directory: string): Promise<string[]> {
  const sizes = (await readdir(directory))
    .filter((name) => name.endsWith("-wal") || name === "operator.sock")
    .map(async (name) => ({ name, size: name.endsWith("-wal") ? (await stat(join(directory, name))).size : 1 }));
  return (await Promise.all(sizes)).filter(({ size }) => size > 0).map(({ name }) => name);
}

/**
 * Sets one bit of the first byte of a text in a file, wherever the file contains it. The text then is not UTF-8.
 *
 * @param keepTime the file keeps its time, as a fault of the disk leaves it
 */
export async function damageText(path: string, text: string, { keepTime = false } = {}): Promise<void> {
  const { mtime } = await stat(path);
  const bytes = await readFile(path);
  const file = await open(path, "r+");
  let found = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    await file.write(Buffer.of((bytes[at] ?? 0) | 0x80), 0, 1, at);
    found += 1;
  }
  await file.close();
  if (keepTime) await utimes(path, mtime, mtime);
  if (found === 0) throw new Error(`${path} does not contain ${text}`);
}
