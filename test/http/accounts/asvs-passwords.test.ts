/** Requirements of OWASP ASVS for passwords that span several operations. The table is in ASVS.md of accounts. */
import { expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { users } from "../../../src/identity/identity.tables.ts";
import { bodyOf, operationsOf, resolve, sharedDocumentOf } from "../../support/document.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, statuses } from "../../support/school.ts";
import { logIn, signUpAlone, signUpAloneBody } from "./newcomers.ts";

test("a password is checked as given: not truncated, trimmed or case-folded", async () => {
  const at = await newInstallation();
  const email = "ada@example.com";
  const password = ` Correct Horse ${"battery ".repeat(14)}!`;
  expect(password).toHaveLength(128);
  expectStatus(201, await at.call("POST", "/auth/signup", { body: { ...signUpAloneBody(email), password } }));

  const wrong = [password.slice(0, -1), `${password.slice(0, -1)}?`, password.trim(), password.toLowerCase()];
  for (const other of wrong) expect((await logIn(at, email, { password: other })).status).toBe(401);
  expect((await logIn(at, email, { password })).status).toBe(200);
});

test("a password never expires", async () => {
  const at = await newInstallation();
  const ada = await signUpAlone(at);
  at.clock.advance(days(3 * 365));
  const { body } = expectStatus(200, await logIn(at, ada.email));
  const fields = ["access_token", "expires_in", "refresh_expires_in", "refresh_token", "token_type"];
  expect(Object.keys(body).sort()).toEqual(fields);
});

test("a new installation has no account", async () => {
  const at = await newInstallation();
  expect(await at.storage.control.read((reader) => reader.select().from(users))).toEqual([]);
  const guesses = ["admin@example.com", "root@localhost.localdomain", "windsock@example.com"];
  const answers = await Promise.all(guesses.map((email) => logIn(at, email, { password: "admin" })));
  expect(statuses(answers)).toEqual([401, 401, 401]);
});

test("no request has a field for a hint or for the answer to a secret question", async () => {
  const document = sharedDocumentOf((await newInstallation()).app);
  const fields = operationsOf(document).flatMap(([, operation]) => {
    const schema = bodyOf(operation)?.schema;
    return schema ? Object.keys(resolve(document, schema).properties ?? {}) : [];
  });
  expect(fields).toContain("password");
  expect(fields.filter((field) => /hint|question|answer|maiden/.test(field))).toEqual([]);
});
