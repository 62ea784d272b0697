import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNotNull, sql } from "drizzle-orm";
import { canonicalJson } from "../../../src/core/canonical-json.ts";
import { hours } from "../../../src/core/clock.ts";
import type { OrgId } from "../../../src/core/ids.ts";
import { evidencePacks } from "../../../src/modules/evidence/evidence.tables.ts";
import { verifyPack } from "../../../src/modules/evidence/format/verify-pack.ts";
import { newInstallation } from "../../support/installation.ts";
import { csv, expectStatus, newOwnSchool, newSchool, pdf } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";
import { approvedFlight, contentOf, download, filesIn, getPack, inPieces, issue, jsonIn, ofPilot } from "./packing.ts";

const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const tenantOf = ({ installation, orgId }: Awaited<ReturnType<typeof newSchool>>) =>
  installation.storage.tenants.tenant(orgId as OrgId);

test("a pilot's pack has the approved flights, the totals, the records and the digests of their files", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const flown = await approvedFlight(school);
  await school.submitFlight(student, { blockMinutes: 30 });
  await school.draftFlight(student, { blockMinutes: 20 });
  const imported = `off_block_at,on_block_at,departure,arrival,registration,day_landings,solo
2020-05-01T08:00:00Z,2020-05-01T09:30:00Z,EDFE,EDKB,D-EABC,2,${student.email}`;
  expectStatus(200, await owner.call("POST", `/orgs/${owner.orgId}/flights/import`, { body: csv(imported) }));
  const sep = { person_id: student.personId, type: "sep", issued_on: "2025-03-14", valid_until: "2027-03-31" };
  const record = expectStatus(201, await owner.post("/compliance/records", { ...sep, remarks: "Private." })).body.data;
  const other = expectStatus(201, await owner.post("/compliance/records", { ...sep, type: "elp", level: "4" })).body
    .data;
  expectStatus(200, await owner.post(`/compliance/records/${other.id}/withdraw`, { reason: "Wrong person." }));
  const path = `/orgs/${owner.orgId}/compliance/records/${record.id}/attachments?filename=sep.pdf`;
  const file = expectStatus(201, await owner.call("POST", path, { body: pdf() })).body.data;

  const pack = await issue(owner, ofPilot(student.personId));

  expect(pack).toMatchObject({
    type: "pilot_portable",
    status: "ready",
    failure: null,
    period_from: "2020-05-01",
    period_to: flown.off_block_at.slice(0, 10),
    issued_at: "2026-06-14T09:00:00.000Z",
    superseded_by: null,
    requested_by: owner.userId,
  });
  const zip = await contentOf(school, owner, pack.id);
  expect([zip.length, sha256(zip)]).toEqual([pack.size_bytes as number, pack.sha256]);
  const files = filesIn(zip);
  const manifest = JSON.parse(String(files["manifest.json"]));
  expect(sha256(files["manifest.json"] ?? zip)).toBe(pack.manifest_sha256);
  expect(manifest).toMatchObject({
    id: pack.id,
    issuer: { id: school.orgId },
    subject: { kind: "person", id: student.personId, name: "Sam Student" },
    key: { id: pack.key_id },
    supersedes: null,
  });
  for (const { name, bytes, sha256: digest } of manifest.parts)
    expect([name, files[name]?.length, sha256(files[name] ?? zip)]).toEqual([name, bytes, digest]);
  for (const [name, bytes] of Object.entries(files))
    if (name.endsWith(".json")) expect(canonicalJson(JSON.parse(String(bytes)))).toBe(String(bytes));

  expect(jsonIn(zip, "flights.json")).toMatchObject([
    { date: "2020-05-01", imported: true, approved_at: null, pic_minutes: 90, function: "solo" },
    { flight_id: flown.id, imported: false, approved_at: flown.approved_at, pic_minutes: 62 },
  ]);
  expect(jsonIn(zip, "totals.json")).toMatchObject({
    opening: { total_minutes: 0 },
    approved: { total_minutes: 62, day_landings: 1 },
    imported: { total_minutes: 90, day_landings: 2 },
  });
  expect(jsonIn(zip, "records.json")).toMatchObject([{ id: record.id, type: "sep", valid_until: "2027-03-31" }]);
  expect(jsonIn(zip, "attachments.json")).toMatchObject([{ id: file.id, record_id: record.id, sha256: file.sha256 }]);
  expect(String(zip)).not.toContain("Private.");
  expect(jsonIn(zip, "person.json")).not.toHaveProperty("email");
  expect(instructor.personId).not.toBe(student.personId);
});

test("the signature of a pack is valid for openssl, on the raw bytes of the manifest", async () => {
  const school = await newSchool();
  const pack = await issue(school.student, ofPilot(school.student.personId));
  const files = filesIn(await contentOf(school, school.student, pack.id));
  const [key] = expectStatus(200, await school.student.get("/signing-keys")).body.data;
  const folder = mkdtempSync(join(tmpdir(), "windsock-pack-"));
  try {
    for (const name of ["manifest.json", "manifest.sig"]) writeFileSync(join(folder, name), files[name] ?? "");
    writeFileSync(join(folder, "key.pem"), key.public_key);
    const args = "pkeyutl -verify -pubin -inkey key.pem -rawin -in manifest.json -sigfile manifest.sig".split(" ");
    const check = () => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" }).toString();
    expect(check()).toContain("Signature Verified Successfully");
    writeFileSync(join(folder, "manifest.json"), ` ${files["manifest.json"]}`);
    expect(check).toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("every changed byte of a pack is refused", async () => {
  const school = await newSchool();
  await approvedFlight(school);
  const pack = await issue(school.owner, ofPilot(school.student.personId));
  const zip = await contentOf(school, school.owner, pack.id);
  expect((await verifyPack(inPieces(zip))).sha256).toBe(pack.sha256);
  // The whole of the manifest, the headers and the JSON of a small pack, and a sample of the rest.
  const step = Math.max(1, Math.floor(zip.length / 4000));
  for (let at = 0; at < zip.length; at += at < 3000 || at > zip.length - 2000 ? 1 : step) {
    const changed = Buffer.from(zip);
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
    const verified = await verifyPack(inPieces(changed, zip.length)).then(
      () => "accepted",
      (error: Error) => error.name,
    );
    if (verified !== "PackFault") throw new Error(`Byte ${at}: ${verified}`);
  }
  for (const other of [Buffer.concat([zip, Buffer.from("x")]), zip.subarray(0, -1), zip.subarray(1), Buffer.alloc(0)])
    await expect(verifyPack(inPieces(other))).rejects.toThrow(Error);
});

test("a newer pack of the same person supersedes an older one, and each announces itself", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const key = await school.apiKey("public.vtr:read", "public.events:read");
  const first = await issue(owner, ofPilot(student.personId));
  const other = await issue(instructor, ofPilot(instructor.personId));
  const second = await issue(student, ofPilot(student.personId));

  expect(await getPack(owner, first.id)).toMatchObject({
    status: "ready",
    superseded_by: second.id,
    sha256: first.sha256,
  });
  expect([second.superseded_by, other.superseded_by]).toEqual([null, null]);
  const [row] = expectStatus(200, await owner.get(`/audit-log?subject_id=${first.id}&limit=1`)).body.data;
  expect(row).toMatchObject({ action: "evidence_pack.superseded", after: { superseded_by: second.id } });
  expect(jsonIn(await contentOf(school, owner, second.id), "manifest.json").supersedes).toBe(first.id);
  const events = expectStatus(200, await school.publicGet("/events?type=vtr.issued", key)).body.data;
  const issued = events.map(({ data }: { data: { vtr: { id: string } } }) => data.vtr.id);
  expect(issued.sort()).toEqual([first.id, other.id, second.id].sort());
  const shown = expectStatus(200, await school.publicGet(`/vtr/${second.id}`, key)).body.data;
  const forMembers = [
    "failure",
    "size_bytes",
    "content_removed_at",
    "requested_by",
    "requested_by_name",
    "person_name",
  ];
  expect(shown).toEqual(Object.fromEntries(Object.entries(second).filter(([name]) => !forMembers.includes(name))));
  const list = expectStatus(200, await school.publicGet("/vtr?type=pilot_portable&status=ready&limit=2", key)).body;
  expect([list.data.length, list.page.has_more]).toEqual([2, true]);
});

test("members see and get packs of themselves, and those who manage packs all", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const pack = await issue(owner, ofPilot(student.personId));
  expectStatus(404, await student.post("/evidence-packs", ofPilot(owner.personId)));
  expectStatus(404, await instructor.post("/evidence-packs", ofPilot(student.personId)));
  expectStatus(404, await student.post("/evidence-packs", { type: "compliance_pack" }));
  expectStatus(404, await instructor.get(`/evidence-packs/${pack.id}`));
  expectStatus(404, await instructor.get(`/evidence-packs/${pack.id}/content`));
  expectStatus(404, await instructor.post(`/evidence-packs/${pack.id}/retry`));
  expect((await instructor.get("/evidence-packs")).body.data).toEqual([]);
  expect((await student.get("/evidence-packs")).body.data).toEqual([pack]);
  expect((await owner.get(`/evidence-packs?person_id=${student.personId}&status=failed`)).body.data).toEqual([]);
  const accountant = await school.join(["accountant"]);
  expectStatus(403, await accountant.get("/evidence-packs"));
});

test("a request for a pack names its subject as the type needs it", async () => {
  const { owner } = await newSchool();
  for (const [path, body] of [
    ["body.person_id", { type: "pilot_portable" }],
    ["body.as_of", { ...ofPilot(owner.personId), as_of: "2026-01-01" }],
    ["body.as_of", { type: "compliance_pack", as_of: "2026-06-13" }], // the school is of the next day
    ["body.person_id", { type: "compliance_pack", person_id: owner.personId }],
    ["body.as_of", { type: "compliance_pack", as_of: "2026-06-15" }],
  ] as const)
    expect(expectStatus(400, await owner.post("/evidence-packs", body)).body.issues[0].path).toBe(path);
  expectStatus(404, await owner.post("/evidence-packs", ofPilot(nobody)));
});

test("a failed pack says why, and a retry builds it; a ready one is final", async () => {
  const school = await newOwnSchool({ env: { WINDSOCK_ATTACHMENT_QUOTA_MIB: "1" } });
  const { owner, student } = school;
  const usage = (bytes: number) =>
    tenantOf(school).write((tx) => tx.run(sql`insert or replace into attachment_usage values (1, ${bytes})`));
  const request = () => owner.post("/evidence-packs", ofPilot(student.personId));
  await usage(1024 * 1024);
  expect(expectStatus(409, await request()).body.error.reason).toBe("quota_exceeded");
  await usage(1024 * 1024 - 1);
  const failed = await issue(owner, ofPilot(student.personId));
  expect(failed).toMatchObject({ status: "failed", failure: "quota_exceeded", issued_at: null, sha256: null });
  expectStatus(404, await owner.get(`/evidence-packs/${failed.id}/content`));
  const count = (table: string) =>
    tenantOf(school).read(async (reader) => (await reader.values(sql.raw(`select count(*) from ${table}`)))[0]?.[0]);
  expect([await count("evidence_chunks"), await count("evidence_parts"), await count("share_tokens")]).toEqual([
    0, 0, 0,
  ]);

  await usage(0);
  expect(expectStatus(200, await owner.post(`/evidence-packs/${failed.id}/retry`)).body.data.status).toBe("generating");
  const ready = await getPack(owner, failed.id);
  expect(ready).toMatchObject({ status: "ready", failure: null });
  expect(expectStatus(409, await owner.post(`/evidence-packs/${ready.id}/retry`)).body.error.reason).toBe(
    "wrong_status",
  );
  expect((await verifyPack(inPieces(await contentOf(school, owner, ready.id)))).manifest.id).toBe(ready.id as never);
});

test("the job builds what a crash has left, from the beginning", async () => {
  const school = await newOwnSchool();
  const { owner, student, installation } = school;
  const before = await issue(owner, ofPilot(student.personId));
  // As a crash between two parts leaves it.
  await tenantOf(school).write(async (tx) => {
    await tx.run(
      sql`update evidence_packs set status = 'generating', manifest = null, sha256 = null, issued_at = null`,
    );
    await tx.run(sql`delete from evidence_parts where position > 1`);
  });
  const report = await installation.scheduler.runNow("evidence-packs");
  expect(report).toMatchObject({ summary: "Built 1 evidence pack in 1 school." });
  expect(await getPack(owner, before.id)).toMatchObject({ status: "ready" });
  await verifyPack(inPieces(await contentOf(school, owner, before.id)));
});

test("a pack that a stop interrupted is built at once after the next start, before the job's next time", async () => {
  const school = await newOwnSchool();
  const { owner, student, orgId, installation } = school;
  const { clock, directory } = installation;
  const { id } = await issue(owner, ofPilot(student.personId));
  await tenantOf(school).write((tx) =>
    tx.run(sql`update evidence_packs set status = 'generating', manifest = null, sha256 = null, issued_at = null`),
  );
  await installation.storage.close();
  const again = await newInstallation({ clock, directory });
  again.scheduler.start();
  await again.scheduler.stop();
  const status = await again.storage.tenants
    .tenant(orgId as OrgId)
    .read((reader) => reader.select({ id: evidencePacks.id, status: evidencePacks.status }).from(evidencePacks));
  expect(status.map((one) => [String(one.id), one.status])).toEqual([[id, "ready"]]);
});

test("a rotated key stays, and what it signed stays valid", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  expect((await owner.get("/signing-keys")).body.data).toEqual([]);
  const first = await issue(owner, ofPilot(student.personId));
  expectStatus(403, await student.post("/signing-keys/rotate"));
  const rotated = expectStatus(200, await owner.post("/signing-keys/rotate")).body.data;
  const second = await issue(owner, ofPilot(student.personId));
  expect(second.key_id).toBe(rotated.id);
  const keys = expectStatus(200, await owner.get("/signing-keys")).body.data;
  expect(keys).toMatchObject([
    { id: second.key_id, retired_at: null },
    { id: first.key_id, retired_at: "2026-06-14T09:00:00.000Z" },
  ]);
  for (const pack of [first, second]) await verifyPack(inPieces(await contentOf(school, owner, pack.id)));
  const sealed = await tenantOf(school).read((reader) =>
    reader.values(sql`select sealed_private_key from signing_keys`),
  );
  expect(JSON.stringify(sealed)).not.toContain("MC4CAQAwBQYDK2Vw");
});

test("a download needs a recent second factor, and is in the audit log", async () => {
  const school = await newOwnSchool();
  const { student, owner, installation } = school;
  const pack = await issue(student, ofPilot(student.personId));
  await contentOf(school, student, pack.id);
  const log = expectStatus(200, await owner.get(`/audit-log?subject_id=${pack.id}`)).body.data;
  const actions = log.map(({ action }: { action: string }) => action);
  expect(actions.toReversed()).toEqual(["evidence_pack.requested", "evidence_pack.issued", "evidence_pack.downloaded"]);
  await enroll(installation, { token: student.token });
  installation.clock.advance(hours(1));
  const late = await download(installation, await student.signedInAgain(), `/evidence-packs/${pack.id}/content`);
  expect([late.status, (await late.json()).error.reason]).toEqual([403, "step_up_required"]);
});

test("an erasure removes the content, the manifest and the links of a person's packs, which mirrors see", async () => {
  const school = await newSchool();
  const { owner } = school;
  const { id } = expectStatus(201, await owner.post("/people", { name: "Gone Soon", types: ["pilot"] })).body.data;
  const packs = [await issue(owner, ofPilot(id)), await issue(owner, ofPilot(id))];
  const exported = await owner.get(`/people/${id}/export`);
  for (const pack of packs)
    expect(exported.text).toContain(`"id":"${pack.id}","type":"pilot_portable","status":"ready"`);
  const count = (table: string) =>
    tenantOf(school).read(async (reader) => (await reader.values(sql.raw(`select count(*) from ${table}`)))[0]?.[0]);
  expect(await count("share_tokens")).toBe(2);
  // As a crash leaves it.
  const waiting = await issue(owner, ofPilot(id));
  const unbuilt = { status: "generating", manifest: null } as const;
  await tenantOf(school).write((tx) => tx.update(evidencePacks).set(unbuilt).where(sql`id = ${waiting.id}`));
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  expect(await getPack(owner, waiting.id)).toMatchObject({ status: "failed", failure: "person_erased" });
  expect(expectStatus(409, await owner.post(`/evidence-packs/${waiting.id}/retry`)).body.error.reason).toBe(
    "person_erased",
  );
  const key = await school.apiKey("public.vtr:read");
  for (const { id: packId } of packs) {
    const { data } = expectStatus(200, await owner.get(`/evidence-packs/${packId}`)).body;
    expect(data).toMatchObject({ status: "ready", manifest_sha256: null, sha256: null, size_bytes: null });
    expect(data.content_removed_at).not.toBeNull();
    expect((await owner.get(`/evidence-packs/${packId}/content`)).status).toBe(410);
    const changes = expectStatus(200, await school.publicGet(`/vtr?updated_since=${data.updated_at}`, key)).body.data;
    expect(changes.map((pack: { id: string }) => pack.id).toSorted()).toEqual(
      [...packs, waiting].map((pack) => pack.id).toSorted(),
    );
  }
  expect(await tenantOf(school).read((reader) => reader.$count(evidencePacks, isNotNull(evidencePacks.manifest)))).toBe(
    0,
  );
  for (const table of ["evidence_parts", "evidence_chunks", "share_tokens"])
    expect([table, await count(table)]).toEqual([table, 0]);
  expect(await tenantOf(school).read((reader) => reader.values(sql`select bytes from attachment_usage`))).toMatchObject(
    [{ 0: 0 }],
  );
  expect(expectStatus(409, await owner.post("/evidence-packs", ofPilot(id))).body.error.reason).toBe("person_erased");
});
