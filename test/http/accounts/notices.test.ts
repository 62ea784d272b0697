/** Whoever has an account learns by mail what was done to the ways into it. */
import { expect, test } from "bun:test";
import type { Installation } from "../../support/installation.ts";
import { begin, comeBack, newInstallationWithProvider, providerOf } from "../../support/oidc.ts";
import { expectStatus } from "../../support/school.ts";
import { challenged, enroll, step, verify } from "../../support/second-factor.ts";
import { prove, type Standalone, signUpAlone } from "./newcomers.ts";

const other = "another horse battery";

/** Does everything that a notice is about. @returns the subjects of the mails that it causes */
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

test("a linked provider, a second factor set up or removed, a recovery code used and a new password are told", async () => {
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

test("nothing is told to an address that nobody has proved: it may be a stranger's", async () => {
  const at = await newInstallationWithProvider();
  expect(await busyDay(at, await signUpAlone(at))).toEqual([]);
});

test("nothing is told where no mail is configured", async () => {
  const at = await newInstallationWithProvider({ mail: false });
  const ada = await signUpAlone(at);
  expect(await busyDay(at, ada)).toEqual([]);
});

test("an account that a provider makes is not told of that provider", async () => {
  const at = await newInstallationWithProvider();
  const begun = await begin(at);
  const back = providerOf(at).admit(begun, { sub: "g-1", email: "cora@example.com", email_verified: true });
  expectStatus(200, await comeBack(at, back, begun.cookie));
  expect(at.mails).toEqual([]);
});
