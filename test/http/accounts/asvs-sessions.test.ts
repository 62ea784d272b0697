/** Requirements of OWASP ASVS for sessions that span several operations. The table is in ASVS.md of accounts. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { operationsOf, sharedDocumentOf } from "../../support/document.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, times } from "../../support/school.ts";
import { enroll, step } from "../../support/second-factor.ts";
import { isSignedIn, logIn, signUpAlone } from "./newcomers.ts";

const page = await readFile(new URL("../../../src/modules/accounts/ASVS.md", import.meta.url), "utf8");

test("each sign-in opens a session with tokens of its own, any number of them", async () => {
  const at = await newInstallation();
  const ada = await signUpAlone(at);
  const pairs = [];
  for (const _ of times(30, () => 0)) pairs.push(expectStatus(200, await logIn(at, ada.email)).body);

  for (const field of ["access_token", "refresh_token"])
    expect(new Set(pairs.map((pair) => pair[field])).size).toBe(pairs.length);
  for (const { access_token: token } of pairs) expect(await isSignedIn(at, { token })).toBe(true);
  const { body } = await at.call("GET", "/auth/sessions?limit=100", { token: ada.token });
  expect(body.data).toHaveLength(31);
});

test("after a second factor is set up or removed, the other sessions can be ended", async () => {
  const at = await newInstallation();
  const ada = await signUpAlone(at);
  const endOthers = async () => {
    const { body } = expectStatus(200, await at.call("GET", "/auth/sessions", { token: ada.token }));
    const others = body.data.filter((session: { current: boolean }) => !session.current);
    for (const { id } of others)
      expectStatus(200, await at.call("DELETE", `/auth/sessions/${id}`, { token: ada.token }));
  };

  const before = { token: expectStatus(200, await logIn(at, ada.email)).body.access_token };
  const factor = await enroll(at, ada);
  await endOthers();
  expect([await isSignedIn(at, before), await isSignedIn(at, ada)]).toEqual([false, true]);

  expectStatus(200, await step(at, ada, await factor.code()));
  expectStatus(200, await at.call("DELETE", "/auth/mfa/enroll", { token: ada.token }));
  const after = { token: expectStatus(200, await logIn(at, ada.email)).body.access_token };
  await endOthers();
  expect([await isSignedIn(at, after), await isSignedIn(at, ada)]).toEqual([false, true]);
});

test("only the routes that ASVS.md lists return tokens", async () => {
  const { app } = await newInstallation();
  const [, table = ""] = /## Ways in\n([\s\S]*?)\n## /.exec(page) ?? [];
  const named = [...table.matchAll(/`(GET|POST) (\/[^`]+)`/g)].map(([, method, path]) => `${method} ${path}`);

  const document = sharedDocumentOf(app);
  const schemas = Object.entries(document.components.schemas);
  /** Lists the schemas that have an access token, directly or through a reference. */
  const holders = new Set<string>();
  const holds = (part: object) => {
    const text = JSON.stringify(part);
    return text.includes('"access_token":') || referredTo(text).some((name) => holders.has(name));
  };
  for (let size = -1; size < holders.size; ) {
    size = holders.size;
    for (const [name, schema] of schemas) if (holds(schema)) holders.add(name);
  }
  const answering = operationsOf(document).filter(([, { responses }]) => holds(responses));
  expect(named.sort()).toEqual(answering.map(([route]) => route).sort());
});

const referredTo = (text: string): string[] =>
  [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? "");
