import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../../src/core/async.ts";
import { hours } from "../../../src/core/clock.ts";
import type { OrgId } from "../../../src/core/ids.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { contentOf, issue, jsonIn, ofPilot } from "./packing.ts";

const asBrowser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const pathOf = ({ orgId }: Pick<School, "orgId">, id: string, token: string) =>
  `/public/orgs/${orgId}/vtr/${id}/verify?token=${token}`;

/** A pack of the student with a link. */
async function shared(school: School, expires_at: string | null = null) {
  const { student } = school;
  const pack = await issue(student, ofPilot(student.personId));
  const body = { purpose: "vtr", subject_id: pack.id, name: "Another school", expires_at };
  const link = expectStatus(201, await student.post("/share-tokens", body)).body.data;
  return { pack, link, path: pathOf(school, pack.id, link.token) };
}

test("the holder of a link learns who issued a pack, for whom and when, and whether it is valid, and no more", async () => {
  const school = await newSchool();
  const { installation, student } = school;
  const { pack, path } = await shared(school);
  const zip = await contentOf(school, student, pack.id);

  const answer = await installation.call("GET", path);

  const { data } = expectStatus(200, answer).body;
  const { key, issuer } = jsonIn(zip, "manifest.json");
  expect(data).toEqual({
    id: pack.id,
    type: "pilot_portable",
    issuer: { id: school.orgId, name: issuer.name },
    subject: { kind: "person", name: "Sam Student" },
    period: { from: null, to: null },
    issued_at: "2026-06-14T09:00:00.000Z",
    signature_valid: true,
    superseded: false,
    manifest_sha256: pack.manifest_sha256,
    sha256: pack.sha256,
    key: { thumbprint: key.thumbprint, retired_at: null },
  });
  const headers = Object.fromEntries(answer.headers);
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    vary: "Accept, Accept-Language",
  });
  const next = await shared(school);
  expect((await installation.call("GET", path)).body.data.superseded).toBe(true);
  expect((await installation.call("GET", next.path)).body.data.superseded).toBe(false);
});

test("a browser gets a page without script, whose texts are escaped", async () => {
  const school = await newSchool();
  const { installation, student, owner } = school;
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { name: `<b onclick="x">Sam & 'Co'` }));
  const { pack, path } = await shared(school);
  const answer = await installation.call("GET", path, { headers: asBrowser });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html;charset=utf-8"]);
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'sha256-");
  expect(answer.text).toContain("Evidence pack: valid");
  expect(answer.text).toContain(pack.sha256);
  expect(answer.text).toContain("&#60;b onclick=&#34;x&#34;&#62;Sam &#38; &#39;Co&#39;");
  for (const part of ["<b ", "<script", "<img", "<form", "http:", "https:"]) expect(answer.text).not.toContain(part);

  const none = await installation.call("GET", `${path}x`, { headers: asBrowser });
  expect([none.status, none.headers.get("content-type")]).toEqual([404, "text/html;charset=utf-8"]);
  expect(none.text).toContain("This link is not valid");
});

test("the page is in the language of the browser, or else in that of the pack", async () => {
  const school = await newSchool();
  const { installation, student, owner } = school;
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { language: "de" }));
  const { path } = await shared(school);
  const page = (language?: string) =>
    installation.call("GET", path, { headers: { ...asBrowser, ...(language && { "accept-language": language }) } });

  const german = await page();
  expect(german.text).toContain('<html lang="de">');
  expect(german.text).toContain("Nachweispaket: gültig");
  expect(german.text).toContain("14.06.2026 09:00 UTC");
  expect(german.headers.get("vary")).toBe("Accept, Accept-Language");
  expect((await page("fr-FR, fr;q=0.9")).text).toBe(german.text);
  const english = await page("en-GB, de;q=0.5");
  expect(english.text).toContain('<html lang="en">');
  expect(english.text).toContain("Evidence pack: valid");

  const none = (language: string) =>
    installation.call("GET", `${path}x`, { headers: { ...asBrowser, "accept-language": language } });
  expect((await none("de-AT")).text).toContain("Dieser Link ist ungültig");
  expect((await none("fr")).text).toContain("This link is not valid");
});

test("whatever is wrong with a link, the answer is the same, and takes as long", async () => {
  const school = await newOwnSchool();
  const { installation, student, owner } = school;
  const other = await newSchool(installation);
  const { pack, link, path } = await shared(school);
  const late = new Date(installation.clock.now().getTime() + hours(1)).toISOString();
  const expiring = await shared(school, late);
  const revoked = await shared(school);
  const own = await issue(owner, ofPilot(owner.personId));
  const feed = { purpose: "calendar", subject_id: student.personId, name: "Phone" };
  const calendar = expectStatus(201, await student.post("/share-tokens", feed)).body.data;
  expectStatus(200, await installation.call("GET", revoked.path));
  expectStatus(200, await student.delete(`/share-tokens/${revoked.link.id}`));
  installation.clock.advance(hours(1));

  const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
  const answers = [];
  for (const wrong of [
    expiring.path,
    revoked.path,
    pathOf(school, own.id, link.token),
    pathOf(other, pack.id, link.token),
    pathOf({ orgId: nobody }, pack.id, link.token),
    pathOf(school, nobody, link.token),
    pathOf(school, pack.id, calendar.token),
    pathOf(school, pack.id, ""),
    pathOf(school, pack.id, "x".repeat(5000)),
    path.split("?")[0] ?? "",
  ]) {
    const start = performance.now();
    const { status, body, headers } = await installation.call("GET", wrong);
    const { request_id: _, ...error } = body.error;
    // Over HTTP an answer has the time, which may be the next second's.
    const { "x-request-id": __, date: ___, ...others } = Object.fromEntries(headers);
    answers.push([status, error, others, performance.now() - start > 20]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject([404, { code: "NOT_FOUND" }, {}, true]);
  expectStatus(200, await installation.call("GET", path));
});

test("the log has the route and never the token", async () => {
  const school = await newOwnSchool();
  const { link, path } = await shared(school);
  await school.installation.call("GET", path);
  await school.installation.call("GET", `${path}&x=1`, { headers: asBrowser });
  await yieldToEventLoop();
  const lines = school.installation.logged.filter((line) => line.includes("/verify"));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain("/public/orgs/:orgId/vtr/:vtrId/verify");
  expect(school.installation.logged.join("")).not.toContain(link.token);
});

test("a pack that was changed in the database is shown as not valid", async () => {
  const school = await newSchool();
  const { pack, path } = await shared(school);
  await school.installation.storage.tenants
    .tenant(school.orgId as OrgId)
    .write((tx) =>
      tx.run(
        sql`update evidence_packs set manifest = replace(manifest, 'Sam Student', 'Sam Stulent') where id = ${pack.id}`,
      ),
    );
  expect((await school.installation.call("GET", path)).body.data).toMatchObject({
    subject: { name: "Sam Stulent" },
    signature_valid: false,
    manifest_sha256: expect.not.stringMatching(pack.manifest_sha256),
  });
  const page = await school.installation.call("GET", path, { headers: asBrowser });
  expect(page.text).toContain("Evidence pack: not valid");
});

test("the public keys of an organization are public, also those that were rotated", async () => {
  const school = await newSchool();
  const { installation, owner, orgId } = school;
  await issue(owner, ofPilot(owner.personId));
  expectStatus(200, await owner.post("/signing-keys/rotate"));
  const { data } = expectStatus(200, await installation.call("GET", `/public/orgs/${orgId}/keys`)).body;
  expect(data).toEqual((await owner.get("/signing-keys")).body.data);
  expect(data).toHaveLength(2);
  expectStatus(404, await installation.call("GET", "/public/orgs/01890a5d-ac96-774b-bcce-b302099a8057/keys"));
});
