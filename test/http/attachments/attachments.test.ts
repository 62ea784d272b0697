import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { attachmentsOf, contentOf } from "../../../src/modules/attachments/attachments.queries.ts";
import { expectStatus, newOwnSchool, newSchool, pdf } from "../../support/school.ts";
import { attach, bytesOf, defectOf, download, recordOf, sepOf, storedIn, upload } from "./attaching.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("a file of several chunks is stored, listed, downloaded unchanged, and deleted with its content", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const { owner } = school;
  const { defect, workOrder } = await defectOf(school);
  for (const path of [await recordOf(school), defect, workOrder]) {
    const bytes = await bytesOf(pdf(600_001));
    const answer = expectStatus(201, await upload(owner, path, { body: new Blob([bytes], { type: "image/png" }) }));
    const file = answer.body.data;
    expect(file).toMatchObject({
      filename: "scan.pdf",
      media_type: "application/pdf",
      size_bytes: 600_001,
      sha256: sha256(bytes),
      uploaded_by: owner.userId,
    });
    expect(answer.headers.get("location")).toBe(`/orgs/${owner.orgId}${path}/${file.id}`);
    expect((await owner.get(`${path}/${file.id}`)).body.data).toEqual(file);
    installation.clock.advance(1); // ids sort by time
    const newer = await attach(owner, path, { filename: "second.pdf" });
    expect((await owner.get(path)).body.data).toEqual([newer, file]);

    const { response, bytes: read } = await download(installation, owner, `${path}/${file.id}`);
    expect(read.equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      // Bun sends a stream in chunks.
      ...(response.headers.has("transfer-encoding") ? {} : { "content-length": "600001" }),
      "content-disposition": `attachment; filename="scan.pdf"; filename*=UTF-8''scan.pdf`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cache-control": "no-store",
      etag: `"${file.sha256}"`,
    });

    for (const { id } of [file, newer]) expectStatus(200, await owner.delete(`${path}/${id}`));
    expectStatus(404, await owner.get(`${path}/${file.id}`));
    expectStatus(404, await owner.get(`${path}/${file.id}/content`));
    expect(await storedIn(school)).toEqual({ attachments: 0, uploads: 0, content: 0, usage: 0 });
  }
  const log = (await owner.get("/audit-log?subject_kind=attachment")).body.data;
  expect(log.map(({ action }: { action: string }) => action).slice(0, 4)).toEqual([
    "attachment.removed",
    "attachment.removed",
    "attachment.added",
    "attachment.added",
  ]);
  expect(log[1].before).toMatchObject({ filename: "scan.pdf", sha256: sha256(await bytesOf(pdf(600_001))) });
});

test("a file is seen by those who see its record, and only there", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const mechanic = await school.join(["mechanic"]);
  const accountant = await school.join(["accountant"]);
  const path = await recordOf(school);
  const { id } = await attach(owner, path);

  for (const suffix of ["", `/${id}`, `/${id}/content`]) {
    for (const reader of [owner, student, instructor]) expectStatus(200, await reader.get(path + suffix));
    // A mechanic reads the records of aircraft, and their own.
    expectStatus(404, await mechanic.get(path + suffix));
    expectStatus(403, await accountant.get(path + suffix));
  }
  expectStatus(403, await upload(student, path));
  expectStatus(403, await student.delete(`${path}/${id}`));
  expectStatus(404, await upload(mechanic, path));

  const other = await recordOf(school);
  for (const suffix of [`/${id}`, `/${id}/content`]) expectStatus(404, await owner.get(other + suffix));
  expectStatus(404, await owner.delete(`${other}/${id}`));
});

test("a mechanic adds and deletes files of an aircraft's records, and a student adds one to a defect", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId } = school;
  const mechanic = await school.join(["mechanic"]);
  const arc = { aircraft_id: aircraftId, type: "arc", issued_on: "2025-01-15", valid_until: "2026-01-14" };
  const { id } = expectStatus(201, await owner.post("/compliance/records", arc)).body.data;
  const path = `/compliance/records/${id}/attachments`;
  const file = await attach(mechanic, path);
  expectStatus(200, await mechanic.delete(`${path}/${file.id}`));

  const { defect, workOrder } = await defectOf(school);
  const photo = await attach(student, defect);
  expectStatus(403, await student.delete(`${defect}/${photo.id}`));
  expectStatus(403, await upload(student, workOrder));
  expectStatus(200, await mechanic.delete(`${defect}/${photo.id}`));
});

test("a medical gets no files, and a withdrawn record does", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const medical = { ...sepOf(student.personId), type: "medical", level: "class_2", valid_until: "2030-01-15" };
  const { id } = expectStatus(201, await owner.post("/compliance/records", medical)).body.data;
  const refused = expectStatus(409, await upload(owner, `/compliance/records/${id}/attachments`));
  expect(refused.body.error.reason).toBe("medical_without_files");
  expect((await student.get(`/compliance/records/${id}/attachments`)).body.data).toEqual([]);

  const path = await recordOf(school);
  expectStatus(200, await owner.post(path.replace("attachments", "withdraw"), { reason: "Suspended." }));
  await attach(owner, path);
  expect(await storedIn(school)).toMatchObject({ attachments: 1, uploads: 0 });
});

test("a client that has the file gets 304, and HEAD gets no content", async () => {
  const school = await newSchool();
  const path = await recordOf(school);
  const { id, sha256: hash } = await attach(school.owner, path);
  const content = `/orgs/${school.orgId}${path}/${id}/content`;
  const headers = { "if-none-match": `W/"${hash}"` };
  const unchanged = await school.owner.call("GET", content, { headers });
  expect([unchanged.status, unchanged.text, unchanged.headers.get("etag")]).toEqual([304, "", `"${hash}"`]);
  expectStatus(200, await school.owner.call("GET", content, { headers: { "if-none-match": '"another"' } }));
  const head = await school.owner.call("HEAD", content);
  expect([head.status, head.text, head.headers.get("content-type")]).toEqual([200, "", "application/pdf"]);
});

test("modules read the files of a record, the oldest first", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const path = await recordOf(school);
  const [record_id] = path.match(/[0-9a-f-]{36}/) ?? [];
  const first = await attach(school.owner, path, { body: pdf(300_000) });
  installation.clock.advance(1);
  const second = await attach(school.owner, path);
  const tenant = installation.storage.tenants.tenant(school.orgId as never);
  const files = await tenant.read((reader) => attachmentsOf(reader, { record_id: record_id as never }));
  expect(files.map(({ id }) => id as string)).toEqual([first.id, second.id]);
  const chunks = [];
  for (const file of files) for await (const chunk of contentOf(tenant, file)) chunks.push(chunk.byteLength);
  expect(chunks).toEqual([256 * 1024, 300_000 - 256 * 1024, 100]);
});
