import { watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
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
