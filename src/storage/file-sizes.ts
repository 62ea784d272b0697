/** How large the databases are on the disk, for the operator. */
import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Instant, toInstant } from "../core/clock.ts";

export interface FileSizes {
  /** Databases of schools. */
  schools: number;
  /** Bytes of all databases with their journals. */
  sum: number;
  /** Bytes of the largest one of a school. */
  largest: number;
  /** Those of each school. */
  bySchool: ReadonlyMap<string, SchoolFile>;
}

export interface SchoolFile {
  /** With its journal. */
  bytes: number;
  /** When it was last written to. */
  written_at: Instant;
}

/** Files whose sizes are asked for at once: ten thousand take none of the others' time. */
const atOnce = 100;
const database = /^(?:control|(?<school>[0-9a-f-]{36}))\.db(?:-wal)?$/;

export async function fileSizes(directory: string): Promise<FileSizes> {
  const names = (await readdir(directory)).filter((name) => database.test(name));
  const bySchool = new Map<string, SchoolFile>();
  let sum = 0;
  for (let at = 0; at < names.length; at += atOnce) {
    const sized = names.slice(at, at + atOnce).map(async (name) => ({
      school: database.exec(name)?.groups?.school,
      isJournal: name.endsWith("-wal"),
      // It may be gone meanwhile.
      found: await stat(join(directory, name)).catch(() => undefined),
    }));
    for (const { school, isJournal, found } of await Promise.all(sized)) {
      // An empty journal says only that the file was opened.
      if (found === undefined || (isJournal && found.size === 0)) continue;
      sum += found.size;
      if (school !== undefined) bySchool.set(school, together(bySchool.get(school), found));
    }
  }
  return {
    schools: bySchool.size,
    sum,
    largest: Math.max(0, ...[...bySchool.values()].map(({ bytes }) => bytes)),
    bySchool,
  };
}

function together(other: SchoolFile | undefined, { size, mtime }: Stats): SchoolFile {
  const written_at = toInstant(mtime);
  if (other === undefined) return { bytes: size, written_at };
  return { bytes: other.bytes + size, written_at: laterOf(other.written_at, written_at) };
}

const laterOf = (a: Instant, b: Instant): Instant => (a < b ? b : a);
