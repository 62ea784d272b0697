/** What the disk says about each school's file, without opening it. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Instant, toInstant } from "../core/clock.ts";
import { isId, type OrgId } from "../core/ids.ts";

export interface SchoolFile {
  /** With its journal. */
  bytes: number;
  written_at: Instant;
}

/** Files that are asked for at once: ten thousand take none of the others' time. */
const atOnce = 100;

export async function schoolFiles(directory: string): Promise<ReadonlyMap<OrgId, SchoolFile>> {
  const names = (await readdir(directory)).filter((name) => /\.db(-wal)?$/.test(name));
  const files = new Map<OrgId, SchoolFile>();
  for (let at = 0; at < names.length; at += atOnce) {
    const some = names.slice(at, at + atOnce).map(async (name) => ({
      id: name.replace(/\.db(-wal)?$/, ""),
      // It may be gone meanwhile.
      found: await stat(join(directory, name)).catch(() => undefined),
    }));
    for (const { id, found } of await Promise.all(some)) {
      if (found === undefined || !isId<"organization">(id)) continue;
      const known = files.get(id);
      const written = toInstant(found.mtime);
      files.set(id, {
        bytes: found.size + (known?.bytes ?? 0),
        written_at: known !== undefined && known.written_at > written ? known.written_at : written,
      });
    }
  }
  return files;
}
