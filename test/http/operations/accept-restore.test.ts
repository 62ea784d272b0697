/** A school's file is replaced by an older copy of it, as a restore from a backup does. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { eq } from "drizzle-orm";
import { isId } from "../../../src/core/ids.ts";
import { auditAcceptRestore, auditVerify } from "../../../src/modules/operations/commands.ts";
import { tenantMarks } from "../../../src/storage/control.tables.ts";
import { auditLog } from "../../../src/storage/shared.tables.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { unexamined } from "../../support/operator.ts";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "windsock-restore-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const accept = ({ storage, clock, scheduler }: Installation, org: string, reason = "The disk failed on 14 June.") =>
  auditAcceptRestore.handle({ storage, clock, scheduler, ...unexamined }, { org, by: "olga", reason });
const verify = ({ storage, clock, scheduler }: Installation) =>
  auditVerify.handle({ storage, clock, scheduler, ...unexamined }, {});
const faults = async (at: Installation) => (await verify(at)).logs.flatMap(({ fault }) => fault ?? []);

const markOf = async ({ storage }: Installation, orgId: string) => {
  if (!isId<"organization">(orgId)) throw new Error(`${orgId} is no id`);
  const [row] = await storage.control.read((reader) =>
    reader.select().from(tenantMarks).where(eq(tenantMarks.org_id, orgId)),
  );
  return { rows: row?.audit_seq, head: row?.audit_head };
};

async function onFile(path: string, ...statements: string[]): Promise<void> {
  const client = createClient({ url: `file:${path}` });
  for (const statement of statements) await client.execute(statement);
  await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  client.close();
}

/** A school that wrote after its backup, and whose file is the backup again. */
async function restoredSchool() {
  const first = await newInstallation({ directory });
  const { orgId, owner, aircraftId } = await newSchool(first);
  await first.close();
  const path = join(directory, `${orgId}.db`);
  await copyFile(path, `${path}.backup`);
  const second = await newInstallation({ directory });
  const { token } = owner;
  for (const seats of [2, 3, 4])
    expectStatus(200, await second.call("PATCH", `/orgs/${orgId}/aircraft/${aircraftId}`, { token, body: { seats } }));
  await second.close();
  for (const suffix of ["-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
  await copyFile(`${path}.backup`, path);
  return { orgId, path };
}

test("audit accept-restore accepts a restored log, and records both heads, who and why", async () => {
  const { orgId } = await restoredSchool();
  const at = await newInstallation({ directory });
  expect(await faults(at)).toEqual([expect.stringMatching(/^the log ends at row \d+, but \d+ were sealed$/)]);
  const before = await markOf(at, orgId);

  const accepted = await accept(at, orgId);

  expect(accepted).toEqual({ rows_before: before.rows ?? 0, rows: (before.rows ?? 0) - 3 });
  expect(await faults(at)).toEqual([]);
  const after = await markOf(at, orgId);
  expect(after.head).not.toBe(before.head);
  const rows = await at.storage.control.read((reader) =>
    reader.select().from(auditLog).where(eq(auditLog.action, "audit_log.restore_accepted")),
  );
  expect(rows).toMatchObject([{ actor_kind: "command_line", subject_id: orgId, org_id: orgId }]);
  expect(JSON.parse(rows[0]?.payload ?? "")).toEqual({
    before,
    after: { ...after, accepted_by: "olga", reason: "The disk failed on 14 June." },
  });
});

test("after audit accept-restore, the log grows and later tampering is found", async () => {
  const { orgId, path } = await restoredSchool();
  const at = await newInstallation({ directory });
  await accept(at, orgId);
  const { rows = 0 } = await markOf(at, orgId);
  await at.close();
  await onFile(path, `delete from audit_log where seq = ${rows}`);

  const tampered = await newInstallation({ directory });
  expect(await faults(tampered)).toEqual([`the log ends at row ${rows - 1}, but ${rows} were sealed`]);
});

test("audit accept-restore refuses a log with changed rows, and one that was not restored", async () => {
  const { orgId, path } = await restoredSchool();
  await onFile(path, "update audit_log set actor_id = 'somebody else' where seq = 2");
  const at = await newInstallation({ directory });
  const before = await markOf(at, orgId);
  await expect(accept(at, orgId)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("row 2 breaks the chain"),
  });
  expect(await markOf(at, orgId)).toEqual(before);

  const other = await newOwnSchool();
  await expect(accept(other.installation, other.orgId)).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(accept(at, "01890a5d-ac96-774b-bcce-b302099a8057")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(accept(at, orgId, " ")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});
