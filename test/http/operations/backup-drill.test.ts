/** The trial of a restore reads what a copy has: a backup whose digests are right may have been made of what was wrong. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { isId } from "../../../src/core/ids.ts";
import { digestOf } from "../../../src/storage/backup/copy-file.ts";
import { type CopiedFile, writeManifest } from "../../../src/storage/backup/manifest.ts";
import type { TakenBackup } from "../../../src/storage/backup/take-backup.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { newSchool, pdf } from "../../support/school.ts";
import { attach, recordOf } from "../attachments/attaching.ts";

let folder = "";
let at: Installation;
let taken: TakenBackup;
let orgId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "windsock-drill-"));
  at = await newInstallation();
  const school = await newSchool(at);
  ({ orgId } = school);
  await attach(school.owner, await recordOf(school), { body: pdf(300_000) });
  const stopping = new AbortController().signal;
  const place = join(folder, "place");
  await mkdir(place);
  taken = await at.storage.backups.take({ place, keepIntents: async () => async () => undefined, stopping });
});
afterAll(async () => {
  await at.close();
  await rm(folder, { recursive: true, force: true });
});

/** Tries a copy of the backup with another content of one file, of which the manifest has the digest. */
async function drilled(database: string, statement?: string, change: Partial<CopiedFile> = {}): Promise<string[]> {
  const place = await mkdtemp(join(folder, "changed-"));
  const path = join(place, taken.name);
  await cp(taken.path, path, { recursive: true });
  const file = join(path, `${database}.db`);
  if (statement !== undefined) {
    const client = createClient({ url: `file:${file}` });
    await client.execute(statement);
    client.close();
  }
  const made = { ...(await digestOf(file)), ...change };
  const files = taken.manifest.files.map((one) => (one.database === database ? { ...one, ...made } : one));
  await writeManifest(path, { ...taken.manifest, files });
  const newest = await at.storage.backups.newest(place);
  if (newest === undefined) throw new Error("There is no backup.");
  return (await at.storage.backups.drill(newest, { place, stopping: new AbortController().signal })).faults;
}

test("a drill finds nothing in a sound backup, and all that a restore would bring back damaged", async () => {
  if (!isId<"organization">(orgId)) throw new Error(orgId);
  expect(await drilled("control")).toEqual([]);
  expect(await drilled(orgId, undefined, { audit_rows: 99 })).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}\.db: the audit log has \d+ rows, and the manifest says 99$/),
  ]);
  expect(await drilled(orgId, "update attachment_chunks set data = zeroblob(9) where position = 1")).toEqual([
    expect.stringContaining("attachment"),
  ]);
  expect(await drilled("control", `update tenant_marks set audit_head = '${"0".repeat(64)}'`)).toEqual([
    expect.stringMatching(/audit log|head|seal/),
  ]);
});
