/** What a backup says about itself. Its directory has its final name only when everything in it is complete. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isId, type OrgId } from "../../core/ids.ts";
import { messageOf, withGiven } from "../../core/system-error.ts";
import { placeFile } from "../place-file.ts";

const orgId = z.custom<OrgId>((value) => typeof value === "string" && isId<"organization">(value));

const CopiedFile = z.object({
  /** In the directory of the backup. */
  name: z.string().regex(/^[0-9a-z.-]+$/),
  database: z.union([z.literal("control"), orgId]),
  /** When the copy was begun: it has every write that was acknowledged before. */
  taken_at: z.iso.datetime(),
  /** Of the file in the backup, which may be encrypted. */
  bytes: z.int(),
  sha256: z.string(),
  /** Of the database. */
  database_sha256: z.string(),
  /** The number of migrations that it has. */
  schema_version: z.int(),
  /** The number of rows of its audit log. */
  audit_rows: z.int(),
  /** The file that was copied, see `../check/file-note.ts`. While it has this note, the next backup shares the copy. */
  note: z.string().nullable(),
  /** Why it could not be copied this time, if it is an older copy. */
  fault: z.string().optional(),
});
export type CopiedFile = z.infer<typeof CopiedFile>;

const Secret = z.object({ name: z.string(), bytes: z.int(), sha256: z.string() });

export const Manifest = z.object({
  format: z.literal(1),
  /** The version of the program. */
  windsock: z.string(),
  /** When the installation was made, which tells it from others. */
  installation: z.string(),
  /** Identifies the secret that seals the data. */
  key_id: z.string(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  /** The organization, if it is the backup of one only. */
  organization: orgId.nullable(),
  /** The age recipient that the files are encrypted to. */
  recipient: z.string().nullable(),
  files: z.array(CopiedFile),
  /** `secret.key`, only in an encrypted backup. */
  secret: Secret.nullable(),
  /** Schools without a copy, and why. */
  missing: z.array(z.object({ organization: orgId, fault: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;

const manifestName = "manifest.json";

/** @throws Error the directory is no complete backup, with a message for the operator */
export async function readManifest(backup: string): Promise<Manifest> {
  const path = join(backup, manifestName);
  const text = await readFile(path, "utf8").catch(async (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") throw new Error(messageOf(cause, path), { cause });
    await withGiven(backup, (named) => readdir(named));
    throw new Error(`${backup} is not a backup: it has no ${manifestName}.`, { cause });
  });
  const parsed = Manifest.safeParse(parse(text));
  if (parsed.success) return parsed.data;
  throw new Error(`${path} is damaged, or of a newer version of Windsock.`, { cause: parsed.error });
}

export const writeManifest = (backup: string, manifest: Manifest): Promise<void> =>
  placeFile(join(backup, manifestName), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema rejects it
  }
}
