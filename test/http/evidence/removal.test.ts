/** What ends: the content of packs that a member removes, and of those with a person whose data is erased. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { days } from "../../../src/core/clock.ts";
import type { OrgId } from "../../../src/core/ids.ts";
import { newInstallation, type SharedInstallation } from "../../support/installation.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { newTrainingSchool, small } from "../training/school.ts";
import { contentOf, download, filesIn, getPack, issue, ofPilot } from "./packing.ts";

const read = async ({ installation, orgId }: School<SharedInstallation>, query: string) =>
  (
    await installation.storage.tenants.tenant(orgId as OrgId).read((reader) => reader.values<[number]>(sql.raw(query)))
  )[0]?.[0];

test("the content of a pack is removed, and what was signed about it stays verifiable", async () => {
  const school = await newSchool();
  const { owner, student, instructor, installation, orgId } = school;
  const pack = await issue(student, ofPilot(student.personId));
  const kept = await issue(owner, ofPilot(owner.personId));
  const path = `/evidence-packs/${pack.id}`;
  const link = { purpose: "vtr", subject_id: pack.id, name: "Another school" };
  const { token } = expectStatus(201, await student.post("/share-tokens", link)).body.data;
  for (const by of [student, instructor]) expectStatus(403, await by.delete(path));

  const removed = expectStatus(200, await owner.delete(path)).body.data;

  expect(removed).toEqual({
    ...pack,
    content_removed_at: installation.clock.now().toISOString(),
    updated_at: removed.updated_at,
  });
  expect(removed.updated_at > String(kept.updated_at)).toBe(true);
  const gone = await download(installation, student, `${path}/content`);
  const { error } = await gone.json();
  expect([gone.status, error.reason]).toEqual([410, "content_removed"]);
  expect(error.content_removed_at).toBe(removed.content_removed_at);
  const verified = await installation.call("GET", `/public/orgs/${orgId}/vtr/${pack.id}/verify?token=${token}`);
  expect(expectStatus(200, verified).body.data).toMatchObject({ signature_valid: true, sha256: pack.sha256 });
  expect(await read(school, "select bytes from attachment_usage")).toBe(Number(kept.size_bytes));
  expect(await read(school, `select count(*) from evidence_chunks where pack_id = '${pack.id}'`)).toBe(0);
  expect(expectStatus(409, await owner.delete(path)).body.error.reason).toBe("wrong_status");
  await contentOf(school, owner, kept.id);
  const log = expectStatus(200, await owner.get(`/audit-log?subject_id=${pack.id}&limit=1`)).body.data;
  expect(log).toMatchObject([{ action: "evidence_pack.content_removed", actor: { id: owner.userId } }]);
});

test("an erasure removes the content of the organization's packs since the person was there, and of no others", async () => {
  const school = await newOwnSchool();
  const { owner, student, installation } = school;
  const before = await issue(owner, { type: "compliance_pack" });
  installation.clock.advance(days(1));
  const later = await owner.signedInAgain();
  const { id } = expectStatus(201, await later.post("/people", { name: "Gone Soon", types: ["pilot"] })).body.data;
  const during = [await issue(later, { type: "compliance_pack" }), await issue(later, { type: "compliance_pack" })];
  const ofOther = await issue(later, ofPilot(student.personId));
  for (const pack of during) expect(String(await contentOf(school, later, pack.id))).toContain("Gone Soon");

  expectStatus(200, await later.post(`/people/${id}/erase`));

  for (const pack of during) {
    expect((await download(installation, later, `/evidence-packs/${pack.id}/content`)).status).toBe(410);
    expect(await getPack(later, pack.id)).toMatchObject({ status: "ready", sha256: pack.sha256 });
    const log = expectStatus(200, await later.get(`/audit-log?subject_id=${pack.id}&limit=1`)).body.data;
    expect(log).toMatchObject([{ action: "evidence_pack.content_removed" }]);
  }
  for (const pack of [before, ofOther]) await contentOf(school, later, pack.id);
  const used = Number(before.size_bytes) + Number(ofOther.size_bytes);
  expect(await read(school, "select bytes from attachment_usage")).toBe(used);
  expect(await read(school, "select count(*) from evidence_chunks where instr(data, 'Gone Soon') > 0")).toBe(0);
  const anew = await issue(later, { type: "compliance_pack" });
  const text = String(await contentOf(school, later, anew.id));
  expect([text.includes("Gone Soon"), text.includes(id)]).toEqual([false, false]);
});

test("an erasure removes the content of a pack of a day before the person was there, if its training names the person", async () => {
  const installation = await newInstallation();
  const first = await newTrainingSchool(small, installation);
  const { clock } = installation;
  clock.advance(days(1));
  let owner = await first.owner.signedInAgain();
  const person = { name: "Gone Soon", types: ["student"] };
  const { id } = expectStatus(201, await owner.post("/people", person)).body.data;
  const enrollment = { student_id: id, revision_id: first.revision.id, started_on: "2026-01-15" };
  const { id: enrollmentId } = expectStatus(201, await owner.post("/training/enrollments", enrollment)).body.data;
  expectStatus(200, await owner.post(`/training/enrollments/${enrollmentId}/withdraw`, { reason: "Moved." }));
  const pack = await issue(owner, { type: "compliance_pack", as_of: "2026-06-14" });
  const content = filesIn(await contentOf(first, owner, pack.id))["pack.pdf"] ?? new Uint8Array();
  expect((await pdfText(new Uint8Array(content).buffer)).join(" ")).toContain("Gone Soon");

  clock.advance(days(6 * 366));
  owner = await owner.signedInAgain();
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  expect((await download(installation, owner, `/evidence-packs/${pack.id}/content`)).status).toBe(410);
});
