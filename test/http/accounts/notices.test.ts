/** The owner of an account gets a mail when its means of sign-in change. */
import { expect, test } from "bun:test";
import type { Installation } from "../../support/installation.ts";
import { begin, comeBack, newInstallationWithProvider, providerOf } from "../../support/oidc.ts";
import { expectStatus } from "../../support/school.ts";
import { challenged, enroll, step, verify } from "../../support/second-factor.ts";
import { prove, type Standalone, signUpAlone } from "./newcomers.ts";

const other = "another horse battery";

/** Makes every change that causes a notice. @returns the subjects of the mails */
async function busyDay(at: Installation, ada: Standalone): Promise<string[]> {
  const { token, email } = ada;
  const before = at.mails.length;
  const begun = await begin(at, { token });
  const back = providerOf(at).admit(begun, { sub: "g-1" });
  expectStatus(200, await comeBack(at, back, begun.cookie));
  const { recoveryCodes } = await enroll(at, ada);
  expectStatus(200, await verify(at, await challenged(at, email), recoveryCodes[0] ?? ""));
  expectStatus(200, await step(at, ada, recoveryCodes[1] ?? ""));
  expectStatus(200, await at.call("DELETE", "/auth/mfa/enroll", { token }));
  const body = { current_password: "correct horse battery", new_password: other };
  expectStatus(200, await at.call("POST", "/auth/password", { token, body }));
  const mails = at.mails.slice(before);
  expect(mails.filter(({ to }) => to !== email)).toEqual([]);
  for (const { text } of mails) for (const hidden of ["#", other, ...recoveryCodes]) expect(text).not.toContain(hidden);
  return mails.map(({ subject }) => subject);
}

test("notices are mailed for a linked provider, an added or removed second factor, a used recovery code and a new password", async () => {
  const at = await newInstallationWithProvider({ env: { WINDSOCK_OAUTH_REDIRECTS: "" } });
  const ada = await signUpAlone(at);
  await prove(at, ada);
  expect(await busyDay(at, ada)).toEqual([
    "Another way to sign in was added",
    "Two-factor sign-in was switched on",
    "A recovery code was used",
    "A recovery code was used",
    "Two-factor sign-in was switched off",
    "Your password was changed",
  ]);
  expect(at.mails.at(-1)?.text).toContain(at.config.publicUrl);
});

test("no notice is mailed to an unverified address", async () => {
  const at = await newInstallationWithProvider();
  expect(await busyDay(at, await signUpAlone(at))).toEqual([]);
});

test("no notice is mailed if mail is not configured", async () => {
  const at = await newInstallationWithProvider({ mail: false });
  const ada = await signUpAlone(at);
  expect(await busyDay(at, ada)).toEqual([]);
});

test("an account created through a provider gets no notice of that provider", async () => {
  const at = await newInstallationWithProvider();
  const begun = await begin(at);
  const back = providerOf(at).admit(begun, { sub: "g-1", email: "cora@example.com", email_verified: true });
  expectStatus(200, await comeBack(at, back, begun.cookie));
  expect(at.mails).toEqual([]);
});
