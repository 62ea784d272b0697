/** Uploads that must leave nothing behind, or that arrive in a way of their own. */
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../../src/core/async.ts";
import { once } from "../../../src/core/once.ts";
import { expectStatus, type Member, newOwnSchool, newSchool, pdf, statuses, times } from "../../support/school.ts";
import { attach, bytesOf, defectOf, feed, recordOf, storedIn, upload } from "./attaching.ts";

const nothing = { attachments: 0, uploads: 0, content: 0, usage: 0 };
const MEBIBYTE = 1024 * 1024;
const stream = async (file: Blob) => {
  const bytes = await bytesOf(file);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536));
      controller.close();
    },
  });
};
/** One for all files that are refused. */
const withoutFiles = once(() => newSchool());
const asPdf = { "content-type": "application/pdf" };

describe("the type", () => {
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(50)]);
  const jpeg = Buffer.concat([Buffer.from("ffd8ffe000104a464946", "hex"), Buffer.alloc(50)]);

  test.each([
    ["image/png", png, "photo.pdf", "photo.pdf.png"],
    ["image/jpeg", jpeg, "photo.JPEG", "photo.JPEG"],
    ["image/jpeg", jpeg, "photo", "photo.jpg"],
    ["application/pdf", Buffer.from("%PDF-1.4\n<script>alert(1)</script>"), "page.html", "page.html.pdf"],
  ])("is %s by the content, and so is the extension", async (media_type, bytes, filename, stored) => {
    const school = await newSchool();
    const path = await recordOf(school);
    const body = new Blob([bytes], { type: "application/octet-stream" });
    expect(await attach(school.owner, path, { body, filename })).toMatchObject({ media_type, filename: stored });
  });

  test.each([
    ["HTML", "<!doctype html><script>alert(1)</script>%PDF-1.4"],
    ["a program", "MZ\x90\x00"],
    ["an image that is cut off", Buffer.from("89504e470d0a1a0a", "hex")],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["one byte", "%"],
  ])("of %s that is called a PDF is 415", async (_, content) => {
    const school = await withoutFiles();
    const path = await recordOf(school);
    const answer = await upload(school.owner, path, { body: new Blob([content], { type: "application/pdf" }) });
    expect(expectStatus(415, answer).body.error.message).toBe("The file is not a PDF, a JPEG or a PNG.");
    expect(await storedIn(school)).toEqual(nothing);
  });

  test.each(["application/json", "text/plain", "multipart/form-data; boundary=x", "image/svg+xml", ""])(
    "that the client calls %p is 415 with those that are accepted",
    async (type) => {
      const school = await withoutFiles();
      const path = await recordOf(school);
      const headers = { "content-type": type };
      const answer = expectStatus(415, await upload(school.owner, path, { body: await bytesOf(pdf()), headers }));
      expect(answer.body.error.message).toContain("application/pdf, image/jpeg, image/png, application/octet-stream");
    },
  );

  test("is not read from a compressed body", async () => {
    const school = await newSchool();
    const headers = { "content-encoding": "gzip" };
    expectStatus(415, await upload(school.owner, await recordOf(school), { headers }));
  });
});

describe("the name", () => {
  test.each([
    [
      "Prüfbericht Łódź 😀.pdf",
      `filename="Pr_fbericht __d_ _.pdf"; filename*=UTF-8''Pr%C3%BCfbericht%20%C5%81%C3%B3d%C5%BA%20%F0%9F%98%80.pdf`,
    ],
    [`a"b;c'(1)*%41.pdf`, `filename="a_b;c'(1)*_41.pdf"; filename*=UTF-8''a%22b%3Bc%27%281%29%2A%2541.pdf`],
    [`${"x".repeat(196)}.pdf`, `filename="${"x".repeat(196)}.pdf"; filename*=UTF-8''${"x".repeat(196)}.pdf`],
  ])("%p is kept", async (filename, disposition) => {
    const school = await newSchool();
    const path = await recordOf(school);
    const file = await attach(school.owner, path, { filename });
    expect(file.filename).toBe(filename);
    const { headers } = await school.owner.get(`${path}/${file.id}/content`);
    expect(headers.get("content-disposition")).toBe(`attachment; ${disposition}`);
  });

  test.each([
    "",
    " ",
    "..",
    "../secret.pdf",
    "a\\b.pdf",
    "a\r\nSet-Cookie: x=1.pdf",
    "a\u0000.pdf",
    "scan\u202efdp.exe",
    `${"x".repeat(200)}y`,
  ])("%j is refused", async (filename) => {
    const school = await withoutFiles();
    const { body } = expectStatus(400, await upload(school.owner, await recordOf(school), { filename }));
    expect(body.issues).toMatchObject([{ path: "query.filename" }]);
    expect(await storedIn(school)).toEqual(nothing);
  });

  test("is required", async () => {
    const { owner, ...school } = await newSchool();
    const answer = await owner.call("POST", `/orgs/${school.orgId}${await recordOf({ ...school, owner })}`, {
      body: pdf(),
    });
    expect(expectStatus(400, answer).body.issues).toMatchObject([{ path: "query.filename" }]);
  });
});

describe("the length", () => {
  test("is at most 10 MiB, declared or counted", async () => {
    const school = await newSchool();
    const path = await recordOf(school);
    const [most, more] = [pdf(10 * MEBIBYTE), pdf(10 * MEBIBYTE + 1)];
    expectStatus(413, await upload(school.owner, path, { body: more }));
    expectStatus(413, await upload(school.owner, path, { body: await stream(more), headers: asPdf }));
    expect(await storedIn(school)).toEqual(nothing);
    await attach(school.owner, path, { body: await stream(most), headers: asPdf });
    expect(await storedIn(school)).toMatchObject({ attachments: 1, content: 10 * MEBIBYTE, usage: 10 * MEBIBYTE });
  });

  test("of a declared body is checked before it is read", async () => {
    const { installation, owner, ...school } = await newSchool();
    const { answer } = feed(installation, owner, await recordOf({ ...school, owner }), {
      "content-length": "99999999",
    });
    expect((await answer).status).toBe(413);
  });

  test.each(["99", "101", "1e9"])("that is declared as %s instead of 100 is refused", async (length) => {
    const school = await newSchool();
    const headers = { ...asPdf, "content-length": length };
    const answer = await upload(school.owner, await recordOf(school), { body: await stream(pdf(100)), headers });
    expect([400, 413]).toContain(answer.status);
    expect(await storedIn(school)).toEqual(nothing);
  });

  test("of nothing is refused", async () => {
    const school = await newSchool();
    const path = await recordOf(school);
    for (const body of [new Blob([], { type: "application/pdf" }), undefined])
      expectStatus(
        400,
        await school.owner.call("POST", `/orgs/${school.orgId}${path}?filename=a.pdf`, { body, headers: asPdf }),
      );
    expect(await storedIn(school)).toEqual(nothing);
  });
});

test("other requests write while a file arrives, and a connection that is closed leaves nothing", async () => {
  const school = await newSchool();
  const path = await recordOf(school);
  const body = feed(school.installation, school.owner, path);
  await body.asked;
  body.send(await bytesOf(pdf(300_000)));
  // This waits for all writes before it.
  await attach(school.owner, path);
  expect((await school.owner.get(path)).body.data).toHaveLength(1);
  body.abort();
  // A client that has closed its connection gets no answer.
  const answer = await body.answer.catch(() => undefined);
  expect(answer?.status ?? 400).toBe(400);
  while ((await storedIn(school)).uploads !== 0) await yieldToEventLoop();
  expect(await storedIn(school)).toEqual({ attachments: 1, uploads: 0, content: 100, usage: 100 });
});

test("a file that is refused is not read to its end", async () => {
  const { installation, owner, ...school } = await newSchool();
  const body = feed(installation, owner, await recordOf({ ...school, owner }));
  await body.asked;
  body.send(Buffer.alloc(300_000, "not a PDF"));
  await body.cancelled;
  expect((await body.answer).status).toBe(415);
});

test("a member who is removed while their file arrives is refused, and nothing of it is kept", async () => {
  const school = await newSchool();
  const { installation, owner, student } = school;
  const { defect } = await defectOf(school);
  const body = feed(installation, student, defect);
  await body.asked;
  body.send(await bytesOf(pdf(300_000)));
  expectStatus(200, await owner.delete(`/members/${student.userId}`));
  body.end();
  expect((await body.answer).status).toBe(404);
  expect(await storedIn(school)).toEqual(nothing);
});

test("a member who loses the permission while their file arrives is refused", async () => {
  const school = await newSchool();
  const { installation, owner } = school;
  const admin = await school.join(["admin"]);
  const body = feed(installation, admin, await recordOf(school));
  await body.asked;
  body.send(await bytesOf(pdf()));
  expectStatus(200, await owner.patch(`/members/${admin.userId}`, { roles: ["accountant"] }));
  body.end();
  expect((await body.answer).status).toBe(403);
  expect(await storedIn(school)).toEqual(nothing);
});

test("a record that becomes a medical's while the file arrives gets no file", async () => {
  const school = await newSchool();
  const { installation, owner, orgId } = school;
  const path = await recordOf(school);
  const body = feed(installation, owner, path);
  await body.asked;
  body.send(await bytesOf(pdf()));
  await installation.storage.tenants
    .tenant(orgId as never)
    .write((tx) => tx.run(sql`update compliance_records set type = 'medical'`));
  body.end();
  expect((await body.answer).status).toBe(409);
  expect(await storedIn(school)).toEqual(nothing);
});

describe("the quota", () => {
  const withQuota = async (mebibytes: number) =>
    newOwnSchool({ env: { WINDSOCK_ATTACHMENT_QUOTA_MIB: String(mebibytes) } });

  test("is held by uploads at the same time, declared or not, and is free again after a deletion", async () => {
    const school = await withQuota(2);
    const path = await recordOf(school);
    const file = pdf(MEBIBYTE);
    const declared = { ...asPdf, "content-length": String(file.size) };
    for (const headers of [declared, asPdf]) {
      const answers = await Promise.all(
        times(4, async () => upload(school.owner, path, { body: await stream(file), headers })),
      );
      const stored = answers.filter(({ status }) => status === 201);
      // Of those without a length, all can be refused: each has stored a part when the quota is reached.
      expect(stored.length).toBeLessThan(3);
      // A declared length is reserved as a whole.
      if (headers === declared) expect(statuses(answers)).toEqual([201, 201, 409, 409]);
      const size = stored.length * MEBIBYTE;
      expect(await storedIn(school)).toEqual({ attachments: stored.length, uploads: 0, content: size, usage: size });
      for (const { body } of stored) expectStatus(200, await school.owner.delete(`${path}/${body.data.id}`));
    }
    expect(await storedIn(school)).toEqual(nothing);
  });

  test("is checked before the file is read", async () => {
    const school = await withQuota(1);
    const headers = { "content-length": String(2 * MEBIBYTE) };
    const { answer } = feed(school.installation, school.owner, await recordOf(school), headers);
    expect((await answer).status).toBe(409);
  });
});

describe("a repeat with the same Idempotency-Key", () => {
  const keyed = (key: string) => ({ "idempotency-key": key });

  test("gets the first response, and the file is stored once", async () => {
    const school = await newSchool();
    const path = await recordOf(school);
    const send = (body = pdf(300_000)) => upload(school.owner, path, { body, headers: keyed("once") });
    const [first, again] = [expectStatus(201, await send()), expectStatus(201, await send())];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expectStatus(422, await send(pdf(300_001)));
    expect(await storedIn(school)).toEqual({ attachments: 1, uploads: 0, content: 300_000, usage: 300_000 });
  });

  test("at the same time is refused, or gets the first response", async () => {
    const school = await newSchool();
    const path = await recordOf(school);
    const answers = await Promise.all(times(5, () => upload(school.owner, path, { headers: keyed("race") })));
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await storedIn(school)).toMatchObject({ attachments: 1, uploads: 0, content: 100 });
  });

  test("can be used again after a refusal", async () => {
    const school = await newSchool();
    const path = await recordOf(school);
    const headers = keyed("retry");
    const wrong = new Blob(["text"], { type: "application/pdf" });
    expectStatus(415, await upload(school.owner, path, { body: wrong, headers }));
    expectStatus(201, await upload(school.owner, path, { headers }));
  });

  test("is refused at once if the key is not valid", async () => {
    const { installation, owner, ...school } = await newSchool();
    const { answer } = feed(installation, owner, await recordOf({ ...school, owner }), keyed("k".repeat(300)));
    expect((await answer).status).toBe(400);
  });
});

test("a member has at most 5 uploads at the same time, and an organization 20", async () => {
  const school = await newSchool();
  const path = await recordOf(school);
  const last = await school.join(["admin"]);
  const first = [await school.join(["admin"]), await school.join(["admin"])];
  const start = async (by: Member) => {
    const five = times(5, () => feed(school.installation, by, path));
    await Promise.all(five.map(({ asked }) => asked));
    return five;
  };
  const uploads = await start(school.owner);
  expectStatus(429, await upload(school.owner, path));
  await attach(last, path);
  for (const by of [...first, last]) uploads.push(...(await start(by)));
  const refused = expectStatus(429, await upload(await school.join(["admin"]), path));
  expect(refused.headers.get("retry-after")).toBe("5");
  const other = await newSchool();
  await attach(other.owner, await recordOf(other));
  for (const { abort } of uploads) abort();
  await Promise.all(uploads.map(({ answer }) => answer));
  await attach(school.owner, path);
});

test.each([
  ["an hour after it began", 60],
  ["after the clock, which was a day ahead, was set back", -24 * 60],
])("the job deletes an upload that a crash interrupted, %s", async (_, passed) => {
  const school = await newOwnSchool();
  const { installation } = school;
  const path = await recordOf(school);
  await attach(school.owner, path);
  const body = feed(installation, school.owner, path);
  await body.asked;
  body.send(await bytesOf(pdf(600_000)));
  // Two chunks, and then the server waits for more.
  while ((await storedIn(school)).content !== 2 * 256 * 1024 + 100) await yieldToEventLoop();

  await installation.scheduler.runNow("attachment-uploads");
  expect(await storedIn(school)).toMatchObject({ attachments: 1, uploads: 1 });
  installation.clock.advance(passed * 60_000);
  await installation.scheduler.runNow("attachment-uploads");
  expect(await storedIn(school)).toEqual({ attachments: 1, uploads: 0, content: 100, usage: 100 });

  // If the process had lived on after all.
  body.end();
  expect((await body.answer).status).toBe(500);
  expect(await storedIn(school)).toEqual({ attachments: 1, uploads: 0, content: 100, usage: 100 });
});
