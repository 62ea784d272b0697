/** The job that reads every database once a month, and the command that reads all of them now. */
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { days, minutes } from "../../../src/core/clock.ts";
import { isId, newId } from "../../../src/core/ids.ts";
import { check } from "../../../src/modules/operations/commands.ts";
import { scrub } from "../../../src/modules/operations/scrub.ts";
import type { RunResult } from "../../../src/scheduler/job.ts";
import type { Inspection } from "../../../src/storage/check/inspection.ts";
import type { Place } from "../../../src/storage/check/messages.ts";
import { scrubFile } from "../../../src/storage/check/scrub-file.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { summaryOf } from "../../support/jobs.ts";
import { newInvoice, sendInvoice } from "../../support/money.ts";
import { unexamined } from "../../support/operator.ts";
import { expectStatus, newOwnSchool, newSchool, pdf, type School, times } from "../../support/school.ts";
import { attach, recordOf } from "../attachments/attaching.ts";

const tenantOf = ({ installation, orgId }: School<Installation>) => {
  if (!isId<"organization">(orgId)) throw new Error(orgId);
  return installation.storage.tenants.tenant(orgId);
};

/** Changes rows as a lost bit would: behind the program's back. */
const damage = (school: School<Installation>, statement: string) =>
  tenantOf(school).write((tx) => tx.run(sql.raw(statement)));

/** A school with a file of two chunks, an approved flight, a pack, and an invoice that was sent. */
async function newRecords(installation: Installation): Promise<School<Installation>> {
  const school = await newSchool(installation);
  await attach(school.owner, await recordOf(school), { body: pdf(300_000) });
  const { id } = await school.submitFlight(school.student);
  expectStatus(200, await school.instructor.post(`/flights/${id}/approve`));
  await sendInvoice(school, await newInvoice(school));
  const body = { type: "pilot_portable", person_id: school.student.personId };
  expectStatus(202, await school.owner.post("/evidence-packs", body));
  return school;
}

const metric = async (at: Installation, name: string) =>
  new RegExp(`^${name} (\\S+)$`, "m").exec((await at.call("GET", "/metrics", { from: "127.0.0.1" })).text)?.[1];

const deps = ({ storage, clock, scheduler }: Installation) => ({ storage, clock, scheduler, ...unexamined });

/** Runs the scrub with other pieces. */
const scrubBy = ({ storage, clock }: Installation, scrubPiece: Inspection["scrub"], pause: () => void) => {
  const log = { error: () => undefined, warn: () => undefined };
  const background = { log, pause: async () => pause(), stopping: new AbortController().signal };
  const inspection = { ...storage.inspection, scrub: scrubPiece };
  const { control, tenants } = storage;
  return scrub.run({ control, tenants, clock, inspection, ...background }, clock.now());
};

const wholeAtOnce = async () => ({ faults: [], next: null });

test("the scrub reads every database once in 28 days, and the metrics have the oldest", async () => {
  const at = await newInstallation({ env: { WINDSOCK_METRICS: "1" } });
  await newRecords(at);
  expect(await metric(at, "windsock_scrub_oldest_timestamp_seconds")).toBe("0");
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ outcome: "succeeded", summary: "Read 2 databases." });
  const first = String(at.clock.now().getTime() / 1000);
  at.clock.advance(days(28) - 1);
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ outcome: "idle" });
  expect(await metric(at, "windsock_scrub_oldest_timestamp_seconds")).toBe(first);
  at.clock.advance(1);
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ summary: "Read 2 databases." });
  expect(await metric(at, "windsock_scrub_damaged")).toBe("0");
});

test("a scrub by a clock that was a year ahead is no scrub when it is set back, and a running one ends", async () => {
  const at = await newInstallation();
  await newSchool(at);
  at.clock.advance(days(365));
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ summary: "Read 2 databases." });
  at.clock.advance(-days(365));
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ summary: "Read 2 databases." });
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ outcome: "idle" });
  at.clock.advance(days(365));
  expect(await scrubBy(at, wholeAtOnce, () => at.clock.advance(-days(365)))).toMatchObject({
    summary: "Read 1 database. 1 are left for the next nights.",
  });
});

test.each([
  [
    "a chunk of an attachment",
    "update attachment_chunks set data = zeroblob(9) where position = 1",
    /^attachments .*: chunk 1 is/,
  ],
  [
    "a chunk of a pack",
    "update evidence_chunks set data = zeroblob(9) where part = 1",
    /^evidence_parts .* 1: chunk 0 is/,
  ],
  [
    "a part's hash",
    "update evidence_parts set sha256 = 'x' where position = 0",
    /^evidence_parts .* 0: the content does not/,
  ],
  ["the list of parts", "delete from evidence_parts where position = 0", /^evidence_packs .*: its parts are not those/],
  [
    "a manifest",
    "update evidence_packs set manifest = replace(manifest, 'a', 'b')",
    /^evidence_packs .*: the manifest does not/,
  ],
  ["the audit log", "update audit_log set subject_id = 'x' where seq = 3", /^audit_log: row 3 breaks the chain/],
  ["an approved flight", "update flights set departure = 'EDFF'", /^flights .*: not as the audit log has it/],
  ["the journal", "update finance_entries set debit_minor = 1 where debit_minor > 0", /^finance_entries 1: the debits/],
  ["a balance", "update finance_balances set balance_minor = 1", /^finance_balances .*: not the sum/],
])("the scrub and the check report %s that was changed, and the school is used on", async (_, statement, fault) => {
  const at = await newInstallation({ env: { WINDSOCK_METRICS: "1" } });
  const school = await newRecords(at);
  const sound = await newSchool(at);
  expect((await check.handle(deps(at), {})).files.map(({ faults }) => faults)).toEqual([[], [], []]);
  await damage(school, statement);

  const { files, ok } = await check.handle(deps(at), {});
  const faults = files.find(({ organization_id }) => organization_id === school.orgId)?.faults ?? [];
  expect(faults).toContainEqual(expect.stringMatching(fault));
  expect([ok, files.filter((file) => file.faults.length > 0)]).toEqual([false, [expect.anything()]]);

  const run = await at.scheduler.runNow("scrub");
  expect(run.outcome).toBe("failed");
  expect(run.summary).toMatch(/^Read 3 databases\. Found \d faults?: see the log, or run `windsock check`\.$/);
  expect(at.logged.filter((line) => line.includes("is damaged"))).toHaveLength(1);
  expect(Number(await metric(at, "windsock_scrub_damaged"))).toBe(faults.length);
  for (const one of [school, sound]) expectStatus(200, await one.owner.get("/people"));
});

test("a night's scrub ends after an hour, and the next one goes on where it ended", async () => {
  const at = await newInstallation();
  for (let count = 0; count < 4; count += 1) await newSchool(at);
  const nights: RunResult[] = [];
  for (let night = 0; night < 3; night += 1)
    nights.push(await scrubBy(at, wholeAtOnce, () => at.clock.advance(minutes(25))));
  expect(nights.map(summaryOf)).toEqual([
    "Read 3 databases. 2 are left for the next nights.",
    "Read 2 databases.",
    "nothing_due",
  ]);
});

test("the scrub stores the digests of files that an older version stored, and a read then checks them", async () => {
  const at = await newInstallation();
  const school = await newRecords(at);
  await damage(school, "update attachments set chunk_digests = null");
  await damage(school, "update evidence_parts set chunk_digests = null");
  await at.scheduler.runNow("scrub");
  const missing = await tenantOf(school).read((reader) =>
    reader.values(sql`select (select count(*) from attachments where length(chunk_digests) is not 64),
      (select count(*) from evidence_parts where length(chunk_digests) is not 32)`),
  );
  expect(missing).toEqual([[0, 0]]);
  expect((await check.handle(deps(at), {})).ok).toBe(true);
});

test("a file that no organization owns is checked, alone and with the others", async () => {
  const school = await newOwnSchool();
  const { installation: at } = school;
  const lost = newId<"organization">(at.clock);
  await at.storage.tenants.create(lost, { name: "Lost", time_zone: "UTC" });
  const own = { owned: true, faults: [] };
  const { files } = await check.handle(deps(at), {});
  expect(files).toEqual([
    { organization_id: null, ...own },
    { organization_id: school.orgId as typeof lost, ...own },
    { organization_id: lost, owned: false, faults: [] },
  ]);
  expect(await check.handle(deps(at), { org: lost })).toMatchObject({ files: [{ owned: false, faults: [] }] });

  const other = newId<"organization">(at.clock);
  await writeFile(join(at.directory, `${other}.db`), "This is no database.".repeat(100));
  expect(await check.handle(deps(at), { org: other })).toEqual({
    ok: false,
    files: [{ organization_id: other, owned: false, faults: ["file is not a database"] }],
  });
  expect(check.handle(deps(at), { org: newId<"organization">(at.clock) })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each([
  ["a small file", 1e9],
  ["a large file, whose tables are compared one by one", 0],
])("%s is read in pieces as it is at once", async (_, wholeUpTo) => {
  const at = await newInstallation();
  const school = await newRecords(at);
  await damage(school, "update attachment_chunks set data = zeroblob(9) where position = 1");
  await damage(school, "update audit_log set subject_id = 'x' where seq = 3");
  await damage(school, "update people set ratings = '{'");
  const path = join(at.directory, `${school.orgId}.db`);
  const read = async (time: number) => {
    const found: string[] = [];
    let pieces = 0;
    for (let from: Place | null = null; ; pieces += 1) {
      const options = { path, from, time, contentOnly: false, onTable: () => undefined, wholeUpTo };
      const { next, faults, damaged } = await scrubFile(options);
      found.push(...faults, ...damaged);
      if (next === null) return { found, pieces };
      from = next;
    }
  };
  const atOnce = await read(60_000);
  const inPieces = await read(0);
  expect(atOnce.found).toEqual([
    ...times(3, () => expect.stringMatching(/^people\.ratings of row \d is not JSON$/)),
    expect.stringMatching(/^audit_log: row 3 breaks/),
    expect.stringMatching(/^attachments .*: chunk 1 is damaged$/),
  ]);
  expect(inPieces.found).toEqual(atOnce.found);
  expect([atOnce.pieces, inPieces.pieces > 50]).toEqual([0, true]);
});
