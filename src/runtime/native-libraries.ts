/**
 * The native libraries of the executable. A system loads a library only from a file, so each is unpacked once. Bun would do that
 * itself, but it reads the whole library again at each start, to compare, and these 10 MB then count as memory of the process.
 */
import { createWriteStream } from "node:fs";
import { lstat, mkdir, mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type EmbeddedLibrary, libraries } from "./embedded-libraries.ts";

/** The directory that they are unpacked below. */
export const librariesBelow = process.env.BUN_TMPDIR ?? tmpdir();

let folder: string | undefined;

/** Unpacks what is not there yet. @throws an error of the file system */
export async function unpackLibraries(): Promise<void> {
  folder = await ownFolder();
  for (const library of Object.values(libraries)) {
    const file = join(folder, library.file);
    if (!(await isWhole(file, library))) await unpack(library, file);
  }
}

/** Loads a library for its package. @throws `ERR_DLOPEN_FAILED` */
export function openLibrary(name: string): unknown {
  const library = libraries[name];
  if (folder === undefined || library === undefined) throw new Error(`The library ${name} is not unpacked.`);
  const module = { exports: {} };
  process.dlopen(module, join(folder, library.file));
  return module.exports;
}

/** Returns a folder where only this account can have put files: the same at each start, unless somebody else has taken its name. */
async function ownFolder(): Promise<string> {
  const uid = process.getuid?.();
  const usual = join(librariesBelow, uid === undefined ? "windsock" : `windsock-${uid}`);
  await mkdir(usual, { mode: 0o700 }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(usual);
  const isOwn = uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
  return found.isDirectory() && isOwn ? usual : mkdtemp(`${usual}-`);
}

const isWhole = (file: string, { size }: EmbeddedLibrary): Promise<boolean> =>
  stat(file).then(
    (found) => found.size === size,
    () => false,
  );

/** A file gets its name when it is whole. Another process that starts at the same time may unpack the same one. */
async function unpack(library: EmbeddedLibrary, file: string): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  try {
    const packed = Bun.file(library.packed).stream();
    await pipeline(packed, createGunzip(), createWriteStream(unfinished, { mode: 0o600 }));
    // Otherwise a power cut could leave a file of this name and size without its content.
    const written = await open(unfinished, "r+");
    await written.sync().finally(() => written.close());
    await rename(unfinished, file);
  } catch (error) {
    // Windows does not replace a file that another process has loaded.
    if (!(await isWhole(file, library))) throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}
