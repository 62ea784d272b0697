/** Detection of changes to the audit log outside the program: each test tampers with a closed file. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { cp, mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { sql } from "drizzle-orm";
import { isId } from "../../../src/core/ids.ts";
import type { AuditVerification } from "../../../src/modules/operations/verify-audit.ts";
import { verifyAuditLogs } from "../../../src/modules/operations/verify-audit.ts";
import { audit } from "../../../src/storage/audit.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { newSchool } from "../../support/school.ts";

const newDirectory = () => mkdtemp(join(tmpdir(), "windsock-audit-"));

/** The files of an installation with two schools, which is closed. */
let origin: string;
let schools: [string, string];
beforeAll(async () => {
  origin = await newDirectory();
  const installation = await newInstallation({ directory: origin, shared: true });
  schools = [(await newSchool(installation)).orgId, (await newSchool(installation)).orgId];
  await installation.close();
});
afterAll(() => rm(origin, { recursive: true, force: true }));

let directory: string;
beforeEach(async () => {
  directory = await newDirectory();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const asOrgId = (text: string) => {
  if (!isId<"organization">(text)) throw new Error(`${text} is not an id`);
  return text;
};

function verify({ clock, storage }: Installation, orgId?: string): Promise<AuditVerification> {
  if (orgId !== undefined && !isId<"organization">(orgId)) throw new Error();
  const context = { actor: { kind: "command_line" as const }, requestId: "", clock, control: storage.control };
  return verifyAuditLogs(context, { storage, orgId });
}

/** Copies the installation with two schools. */
async function closedSchools(): Promise<[string, string]> {
  await cp(origin, directory, { recursive: true });
  return schools;
}

async function tamper(file: string, ...statements: string[]): Promise<void> {
  const client = createClient({ url: `file:${join(directory, file)}` });
  for (const statement of statements) await client.execute(statement);
  await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  client.close();
}

async function reopened(): Promise<AuditVerification> {
  const installation = await newInstallation({ directory });
  const report = await verify(installation);
  await installation.close();
  return report;
}

const notAFunction = () => {
  throw new TypeError("not a function");
};

const faults = ({ logs }: AuditVerification) => logs.filter(({ fault }) => fault !== null);

test("verifyAuditLogs finds no fault in unchanged logs, running or reopened", async () => {
  const installation = await newInstallation({ directory });
  const { orgId, owner, aircraftId } = await newSchool(installation);
  const running = await verify(installation);
  expect(running.ok).toBeTrue();
  const checked: (string | null)[][] = running.logs.map(({ database, organization_id }) => [database, organization_id]);
  expect(checked).toEqual([
    ["control", null],
    ["tenant", orgId],
  ]);
  expect(running.logs.every(({ rows }) => rows > 0)).toBeTrue();

  await owner.patch(`/aircraft/${aircraftId}`, { seats: 4 });
  const rows = running.logs.map((log) => log.rows);
  await installation.close();
  const report = await reopened();
  expect(report.ok).toBeTrue();
  expect(report.logs.map((log) => log.rows)).toEqual([rows[0] ?? 0, (rows[1] ?? 0) + 1]);
});

const tamperings: [name: string, fault: RegExp, ...statements: string[]][] = [
  [
    "a changed payload",
    /^row 2 does not match its digest$/,
    `update audit_log set payload = '{"forged":1}' where seq = 2`,
  ],
  ["a changed actor", /^row 2 breaks the chain$/, "update audit_log set actor_id = 'somebody else' where seq = 2"],
  ["a changed time", /^row 2 breaks the chain$/, "update audit_log set at = '2020-01-01T00:00:00.000Z' where seq = 2"],
  ["a removed row", /^row 2 is missing$/, "delete from audit_log where seq = 2"],
  ["a removed first row", /^row 1 is missing$/, "delete from audit_log where seq = 1"],
  ["a cut tail", /^the log ends at row 2, but \d+ were sealed$/, "delete from audit_log where seq > 2"],
  ["an emptied log", /^the log ends at row 0, but \d+ were sealed$/, "delete from audit_log"],
  [
    "two swapped rows",
    /^row 2 breaks the chain$/,
    "update audit_log set seq = -2 where seq = 2",
    "update audit_log set seq = 2 where seq = 3",
    "update audit_log set seq = 3 where seq = -2",
  ],
];

test.each(tamperings)(
  "verifyAuditLogs finds %s in a tenant and no fault elsewhere",
  async (_, fault, ...statements) => {
    const [first, second] = await closedSchools();
    await tamper(`${first}.db`, ...statements);

    const report = await reopened();

    expect(report.ok).toBeFalse();
    expect(faults(report)).toMatchObject([{ database: "tenant", organization_id: first }]);
    expect(faults(report)[0]?.fault).toMatch(fault);
    expect(report.logs.find(({ organization_id }) => organization_id === second)?.fault).toBeNull();
  },
);

test.each(tamperings)("verifyAuditLogs finds %s in the control database", async (_, fault, ...statements) => {
  await closedSchools();
  await tamper("control.db", ...statements);

  const report = await reopened();

  expect(faults(report)).toMatchObject([{ database: "control", organization_id: null }]);
  expect(faults(report)[0]?.fault).toMatch(fault);
});

test("verifyAuditLogs finds a cut tail that was replaced by other rows", async () => {
  const [first] = await closedSchools();
  await tamper(
    `${first}.db`,
    "create table kept as select * from audit_log where seq = (select max(seq) from audit_log)",
    "delete from audit_log where seq = (select max(seq) from audit_log)",
    "update kept set action = 'aircraft.forged'",
    "insert into audit_log select * from kept",
    "drop table kept",
  );

  expect(faults(await reopened())).toHaveLength(1);
});

test("verifyAuditLogs accepts an erased payload: it can't be verified, but the chain is valid", async () => {
  const [first] = await closedSchools();
  await tamper(`${first}.db`, "update audit_log set payload = null where seq = 2");

  expect((await reopened()).ok).toBeTrue();
});

test("verifyAuditLogs reports a tenant that can't be opened and verifies the others", async () => {
  const [first, second] = await closedSchools();
  await truncate(join(directory, `${first}.db`), 0);

  const { ok, logs } = await reopened();

  expect(ok).toBeFalse();
  expect(logs.find(({ organization_id }) => organization_id === first)).toMatchObject({
    rows: 0,
    fault: "the tenant can't be opened or read",
  });
  expect(logs.find(({ organization_id }) => organization_id === second)?.fault).toBeNull();
});

test("verifyAuditLogs reports a tenant without its log table and verifies the others", async () => {
  const [first, second] = await closedSchools();
  const installation = await newInstallation({ directory });
  // While the file is open: the program does not open a file without its tables.
  await installation.storage.tenants.tenant(asOrgId(first)).write((tx) => tx.run(sql`drop table audit_log`));

  const report = await verify(installation);

  expect(faults(report)).toMatchObject([
    { organization_id: first, fault: "the log can't be read: no such table: audit_log" },
  ]);
  expect(report.logs.map(({ organization_id }) => organization_id)).toContain(asOrgId(second));
});

test("verifyAuditLogs throws its own errors and does not report them as a fault of a tenant", async () => {
  const installation = await newInstallation({ directory });
  await newSchool(installation);
  const inspection = { ...installation.storage.inspection, auditChain: notAFunction };
  const broken = { ...installation.storage, inspection };

  await expect(verify({ ...installation, storage: broken })).rejects.toThrow("not a function");
});

test("verifyAuditLogs can verify a single organization", async () => {
  const [first, second] = await closedSchools();
  await tamper(`${first}.db`, "delete from audit_log where seq = 2");
  const installation = await newInstallation({ directory });

  expect((await verify(installation, first)).ok).toBeFalse();
  expect((await verify(installation, second)).logs).toMatchObject([{ organization_id: second, fault: null }]);
  await expect(verify(installation, "01890a5d-ac96-774b-bcce-b302099a8057")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a cut tail is still found after the installation is opened and written again", async () => {
  const [first] = await closedSchools();
  for (const file of ["control.db", `${first}.db`]) await tamper(file, "delete from audit_log where seq > 2");

  const reports: AuditVerification[] = [];
  for (const _ of [1, 2]) {
    const installation = await newInstallation({ directory });
    reports.push(await verify(installation));
    await newSchool(installation);
    const tenant = installation.storage.tenants.tenant(asOrgId(first));
    const by = { actor: { kind: "command_line" as const }, requestId: "" };
    await tenant.write((tx) => audit(tx, by, "test.written", { subject: { kind: "test", id: "1" } }));
    await installation.close();
  }

  for (const report of reports)
    expect(faults(report)).toMatchObject([{ database: "control" }, { organization_id: first }]);
});

test("a removed head is a fault: otherwise the whole log could be rewritten", async () => {
  const [first, second] = await closedSchools();
  await tamper("control.db", `update tenant_marks set audit_seq = 0, audit_head = '' where org_id = '${first}'`);
  await tamper("control.db", "update installation set audit_seq = 0, audit_head = ''");

  expect(faults(await reopened())).toMatchObject([{ database: "control" }, { organization_id: first }]);
  expect(second).toBeDefined();
});

test("the head of another log is a fault", async () => {
  const [first, second] = await closedSchools();
  const headOf = (id: string | undefined) => `(select audit_head from tenant_marks where org_id = '${id}')`;
  await tamper("control.db", `update tenant_marks set audit_head = ${headOf(second)} where org_id = '${first}'`);

  expect(faults(await reopened())).toMatchObject([{ organization_id: first }]);
});
