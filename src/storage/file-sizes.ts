/** How large the databases are on the disk, for the operator. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

export interface FileSizes {
  /** Databases of schools. */
  schools: number;
  /** Bytes of all databases with their journals. */
  sum: number;
  /** Bytes of the largest one of a school. */
  largest: number;
}

/** Files whose sizes are asked for at once: ten thousand take none of the others' time. */
const atOnce = 100;
const database = /^(?:control|(?<school>[0-9a-f-]{36}))\.db(?:-wal)?$/;

export async function fileSizes(directory: string): Promise<FileSizes> {
  const names = (await readdir(directory)).filter((name) => database.test(name));
  const bySchool = new Map<string, number>();
  let sum = 0;
  for (let at = 0; at < names.length; at += atOnce) {
    const sized = names.slice(at, at + atOnce).map(async (name) => ({
      school: database.exec(name)?.groups?.school,
      // It may be gone meanwhile.
      size: await stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    }));
    for (const { school, size } of await Promise.all(sized)) {
      sum += size;
      if (school !== undefined) bySchool.set(school, (bySchool.get(school) ?? 0) + size);
    }
  }
  return { schools: bySchool.size, sum, largest: Math.max(0, ...bySchool.values()) };
}
