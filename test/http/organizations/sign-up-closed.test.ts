/** `WINDSOCK_SIGN_UP`: who may come to an installation that is not for everybody. */
import { expect, test } from "bun:test";
import type { OperatorDeps } from "../../../src/modules/operations/command.ts";
import { orgCreate } from "../../../src/modules/operations/org-commands.ts";
import { TestClock } from "../../support/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { begin, type Claims, comeBack, environment, newScriptedProvider } from "../../support/oidc.ts";
import { unexamined } from "../../support/operator.ts";
import { expectStatus, password, statuses } from "../../support/school.ts";
import {
  claim,
  freshAddress,
  invite,
  isLetIn,
  logIn,
  renewed,
  signUp,
  signUpAloneBody,
  signUpBody,
} from "../accounts/newcomers.ts";

const found = (at: Installation, email: string) =>
  at.call("POST", "/auth/signup-org", { body: signUpBody(email), from: freshAddress() });
const register = (at: Installation, email: string) =>
  at.call("POST", "/auth/signup", { body: signUpAloneBody(email), from: freshAddress() });
const signUpOf = async (at: Installation) => (await at.call("GET", "/capabilities")).body.data.sign_up;

const depsOf = ({ storage, clock, scheduler, mailer, intents }: Installation): OperatorDeps => ({
  ...unexamined,
  ...{ storage, clock, scheduler, mailer, intents },
  linkUrl: "https://ops.example.com/app/link",
});

const refusal = { code: "FORBIDDEN", reason: "sign_up_closed" };

test("without a setting, everybody may found a school", async () => {
  const at = await newInstallation();
  expect(statuses([await found(at, "olga@example.com"), await register(at, "otto@example.com")])).toEqual([201, 201]);
  expect(await signUpOf(at)).toBe(true);
});

test("`first` is open until there is a school, also for two who sign up at once", async () => {
  const at = await newInstallation({ env: { WINDSOCK_SIGN_UP: "first" } });
  expect(await signUpOf(at)).toBe(true);
  const both = await Promise.all([found(at, "olga@example.com"), found(at, "otto@example.com")]);
  expect(statuses(both).sort()).toEqual([201, 403]);
  expect(await signUpOf(at)).toBe(false);
  for (const answer of [await found(at, "eva@example.com"), await register(at, "eva@example.com")])
    expect(answer.body.error).toMatchObject(refusal);
});

test("`closed` lets in only who is invited, and whom the operator names", async () => {
  const at = await newInstallation({ env: { WINDSOCK_SIGN_UP: "closed" } });
  expect(await signUpOf(at)).toBe(false);
  for (const answer of [await found(at, "olga@example.com"), await register(at, "olga@example.com")]) {
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject(refusal);
  }

  const made = await orgCreate.handle(depsOf(at), {
    ...{ name: "Flugschule Egelsbach", owner: "olga@example.com", kind: "ato", time_zone: "Europe/Berlin" },
  });
  const token = /#reset=(.+)$/.exec(made.link ?? "")?.[1] ?? "";
  expectStatus(200, await at.call("POST", "/auth/password/reset", { body: { token, password } }));
  const tokens = expectStatus(200, await logIn(at, "olga@example.com")).body;
  const olga = { orgId: made.organization_id, token: tokens.access_token };
  expect(await isLetIn(at, olga)).toBe(true);
  const { data } = expectStatus(200, await at.call("GET", `/orgs/${olga.orgId}`, { token: olga.token })).body;
  expect(data).toMatchObject({ name: "Flugschule Egelsbach", kind: "ato", time_zone: "Europe/Berlin" });

  const invited = await invite(at, olga, "ines@example.com", ["instructor"]);
  expectStatus(200, await claim(at, invited, { password, name: "Ines Berg" }));
  expect((await logIn(at, "ines@example.com")).status).toBe(200);
});

test("the operator makes an account that is there an owner, without a link", async () => {
  const at = await newInstallation({ env: { WINDSOCK_SIGN_UP: "first" } });
  const olga = await signUp(at);
  const second = { name: "Second", owner: olga.email, kind: "club", time_zone: "UTC" } as const;
  const made = await orgCreate.handle(depsOf(at), second);
  expect(made.link).toBeNull();
  expect(await isLetIn(at, { orgId: made.organization_id, token: olga.token })).toBe(true);
  const missing = await orgCreate.handle(depsOf(at), { ...second, time_zone: "Mars/Base" }).catch((error) => error);
  expect(missing.issues).toMatchObject([{ path: "args.time_zone" }]);
});

const ada: Claims = { sub: "ada-1", email: "ada@example.com", email_verified: true, name: "Ada Lindner" };

test("who is unknown here gets no account through a provider either, unless the verified address is invited", async () => {
  const clock = new TestClock();
  const provider = await newScriptedProvider(clock);
  const at = await newInstallation({ clock, env: { ...environment(provider.issuer), WINDSOCK_SIGN_UP: "first" } });
  const olga = await signUp(at);
  const signIn = async () => {
    const begun = await begin(at);
    return comeBack(at, provider.admit(begun, ada), begun.cookie);
  };
  const refused = await signIn();
  expect([refused.status, refused.body.error]).toEqual([403, expect.objectContaining(refusal)]);

  await invite(at, olga, ada.email ?? "", ["student"]);
  const { expires_at } = expectStatus(200, await at.call("GET", `/orgs/${olga.orgId}/invites`, olga)).body.data[0];
  clock.set(expires_at);
  expect((await signIn()).status).toBe(403);
  const token = await invite(at, await renewed(at, olga), ada.email ?? "", ["student"]);
  const { access_token } = expectStatus(200, await signIn()).body;
  expectStatus(200, await at.call("POST", "/auth/org-invites/claim", { token: access_token, body: { token } }));
  // Known from now on.
  expect((await signIn()).status).toBe(200);
});

test("a page that a provider sends the browser back to learns why", async () => {
  const clock = new TestClock();
  const provider = await newScriptedProvider(clock);
  const at = await newInstallation({ clock, env: { ...environment(provider.issuer), WINDSOCK_SIGN_UP: "closed" } });
  const begun = await begin(at, { redirect_to: "http://127.0.0.1:3000/app/sign-in" });
  const { status, headers } = await comeBack(at, provider.admit(begun, ada), begun.cookie);
  expect([status, headers.get("location")]).toEqual([303, expect.stringContaining("error=sign_up_closed")]);
});
