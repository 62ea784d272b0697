/** Files whose bytes in the database are not those that were stored. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { OrgId } from "../../../src/core/ids.ts";
import { expectStatus, newOwnSchool, pdf, type School } from "../../support/school.ts";
import { attach, bytesOf, download, recordOf } from "./attaching.ts";

/** Changes rows as a lost bit would: behind the program's back. */
const damage = ({ installation, orgId }: Pick<School, "installation" | "orgId">, statement: string) =>
  installation.storage.tenants.tenant(orgId as OrgId).write((tx) => tx.run(sql.raw(statement)));

const chunk = 256 * 1024;
const file = pdf(2 * chunk + 100);

/** A file of three chunks, the last one shorter. */
async function storedFile() {
  const school = await newOwnSchool();
  const { installation } = school;
  const path = await recordOf(school);
  const { id } = await attach(school.owner, path, { body: file });
  return { installation, school, path: `${path}/${id}`, content: `${path}/${id}/content` };
}

const refusal = { code: "UNAVAILABLE", reason: "content_damaged" };

test.each([
  ["of which the first chunk is damaged", `update attachment_chunks set data = zeroblob(${chunk}) where position = 0`],
  ["of which the last chunk is damaged", "update attachment_chunks set data = zeroblob(100) where position = 2"],
  ["of which a chunk is shorter", "update attachment_chunks set data = zeroblob(9) where position = 1"],
  ["of which a chunk is missing", "update attachment_chunks set position = 9 where position = 1"],
  [
    "of which two chunks changed places",
    `update attachment_chunks set position = 9 where position = 0;
     update attachment_chunks set position = 0 where position = 1;
     update attachment_chunks set position = 1 where position = 9`,
  ],
  ["whose size is smaller", `update attachments set size_bytes = ${chunk}`],
  ["whose size is larger", `update attachments set size_bytes = ${3 * chunk}`],
  ["whose hash is another one", "update attachments set sha256 = 'x' || substr(sha256, 2)"],
  ["whose digests are shorter", "update attachments set chunk_digests = substr(chunk_digests, 1, 64)"],
  [
    "that an older version stored, and of which a chunk is damaged",
    `update attachments set chunk_digests = null;
     update attachment_chunks set data = zeroblob(${chunk}) where position = 1`,
  ],
])("a file %s is 503 with the reason, and the rest of the school goes on", async (_, statements) => {
  const { installation, school, path, content } = await storedFile();
  const other = await recordOf(school);
  for (const statement of statements.split(";")) await damage(school, statement);
  const sound = await attach(school.owner, other, { body: pdf(chunk + 1) });

  const refused = expectStatus(503, await school.owner.get(content));
  expect(refused.body.error).toMatchObject(refusal);
  expect(refused.headers.get("content-disposition")).toBeNull();
  expect(installation.logged.filter((line) => line.includes('"failed"'))).toHaveLength(1);
  expectStatus(200, await school.owner.get(path));
  expectStatus(200, await school.owner.get(`${other}/${sound.id}/content`));
});

test("a file that an older version stored is served", async () => {
  const { installation, school, path } = await storedFile();
  await damage(school, "update attachments set chunk_digests = null");
  expect((await download(installation, school.owner, path)).bytes.equals(await bytesOf(file))).toBe(true);
});

test("a response whose file becomes damaged is cut before the first byte of the damaged chunk", async () => {
  const { installation, school, content } = await storedFile();
  const { owner, orgId } = school;
  const headers = { authorization: `Bearer ${owner.token}` };
  const response = await installation.app.handle(new Request(`http://localhost/orgs/${orgId}${content}`, { headers }));
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  const read: number[] = [];
  const readOn = async () => {
    const { value } = (await reader?.read()) ?? {};
    if (value !== undefined) read.push(value.byteLength);
  };
  await readOn();
  await damage(school, `update attachment_chunks set data = zeroblob(${chunk}) where position = 1`);
  expect(readOn()).rejects.toMatchObject(refusal);
  expect(read).toEqual([chunk]);
});

test("a client that has a damaged file gets 304, and HEAD gets its headers", async () => {
  const { school, content } = await storedFile();
  const { sha256 } = (await school.owner.get(content.replace("/content", ""))).body.data;
  await damage(school, "delete from attachment_chunks");
  const url = `/orgs/${school.orgId}${content}`;
  expectStatus(304, await school.owner.call("GET", url, { headers: { "if-none-match": `"${sha256}"` } }));
  expectStatus(200, await school.owner.call("HEAD", url));
});
