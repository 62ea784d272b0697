/** The export that an owner downloads. */
import { afterAll, expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { users } from "../../../src/identity/identity.tables.ts";
import type { Installation } from "../../support/installation.ts";
import { expectStatus, type Member, newSchool } from "../../support/school.ts";
import { enroll, step } from "../../support/second-factor.ts";
import { adopted, newFolder, newPlace, passphrase, removeFolders } from "./moves.ts";

afterAll(removeFolders);

/** `call` reads text. */
const asked = (at: Installation, by: Member, body: object = { passphrase }) =>
  at.app.fetch(
    new Request(`http://localhost/orgs/${by.orgId}/export`, {
      method: "POST",
      headers: { authorization: `Bearer ${by.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

test("an owner downloads the school, and another installation adopts it, without what signs in to accounts", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const { owner, orgId } = await newSchool(first);
  const answer = await asked(first, owner);
  expect(answer.headers.get("content-disposition")).toContain(`windsock-${orgId}-2026-06-14.age`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(String(bytes.length)).toBe(answer.headers.get("content-length") ?? "");
  expect((await readdir(first.directory)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  const log = await owner.get("/audit-log?log=organization&action=organization.exported");
  expect(expectStatus(200, log).body.data).toMatchObject([{ subject: { id: orgId }, actor: { id: owner.userId } }]);

  const file = join(await newFolder(), "school.age");
  await writeFile(file, bytes);
  const { members, links } = await adopted(second, file);
  expect([members, links]).toMatchObject([3, [{ email: owner.email, purpose: "password" }]]);
  const accounts = await second.storage.control.read((reader) => reader.select().from(users));
  expect(accounts.map(({ password_hash }) => password_hash)).toEqual([null, null, null]);
});

test("only an owner with a fresh second factor exports, three times an hour, with a long passphrase", async () => {
  const at = await newPlace();
  const { owner, join: add } = await newSchool(at);
  const admin = await add(["admin"]);
  expect((await admin.post("/export", { passphrase })).body.error.reason).toBe("permission_missing");
  expectStatus(400, await owner.post("/export", { passphrase: "too short" }));
  const factor = await enroll(at, owner);
  expect((await owner.post("/export", { passphrase })).body.error.reason).toBe("step_up_required");
  expectStatus(200, await step(at, owner, await factor.code()));
  expectStatus(200, await owner.post("/export", { passphrase }));
  expectStatus(200, await owner.post("/export", { passphrase }));
  expectStatus(429, await owner.post("/export", { passphrase }));
}, 60_000);
