import { describe, expect, test } from "bun:test";
import { minutes } from "../../../src/core/clock.ts";
import { Problem } from "../../../src/core/errors.ts";
import { permissions } from "../../../src/core/permissions.ts";
import { grantPlatformPermission } from "../../../src/modules/accounts/operator/grant-platform-permission.ts";
import { newModerator } from "../../support/directory.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, type Member, newOwnSchool, newSchool } from "../../support/school.ts";
import { challenged, enroll } from "../../support/second-factor.ts";
import { change, claim, invite, link, prove, sessionIdOf, signUp, signUpAlone } from "./newcomers.ts";

describe("GET /auth/me", () => {
  test("shows the account and the session of a new account", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const { data } = expectStatus(200, await at.call("GET", "/auth/me", { token: ada.token })).body;
    expect(data).toEqual({
      user: { id: ada.userId, email: ada.email, email_verified: false, name: "Ada Lindner", language: "en" },
      session: {
        id: sessionIdOf(ada.token),
        amr: ["pwd"],
        auth_time: at.clock.now().toISOString(),
        step_up_until: null,
      },
      organizations: [],
      platform_permissions: [],
      has_second_factor: false,
      providers: [],
    });
  });

  test("shows the organizations in the order of joining, with the roles and what they permit", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    at.clock.advance(minutes(1));
    const token = await invite(at, otto, olga.email, ["mechanic", "student"]);
    expectStatus(200, await claim(at, token, {}, olga));
    const { data } = expectStatus(200, await at.call("GET", "/auth/me", { token: olga.token })).body;
    const active = { suspended_at: null, removal_at: null };
    const school = { name: "Flugschule Egelsbach", time_zone: "UTC", currency: "EUR", person_id: null, ...active };
    expect(data.organizations).toEqual([
      { ...school, id: olga.orgId, roles: ["owner"], permissions: [...permissions] },
      { ...school, id: otto.orgId, roles: ["mechanic", "student"], permissions: expect.any(Array) },
    ]);
    const [, { permissions: held }] = data.organizations;
    expect(held).toEqual(expect.arrayContaining(["maintenance:manage", "flights:submit"]));
    for (const missing of ["flights:approve", "finance:read"]) expect(held).not.toContain(missing);
    expect(new Set(held).size).toBe(held.length);
    expect(data.user.id).toBe(olga.userId);
  });

  test("shows whether the address is verified, the second factor, a current step-up, and providers by name", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await prove(at, ada);
    await link(at, ada.userId);
    const factor = await enroll(at, ada);
    const stepped = await at.call("POST", "/auth/mfa/step", { token: ada.token, body: { code: await factor.code() } });
    const { step_up_until } = expectStatus(200, stepped).body.data;
    const me = async (token = ada.token) => expectStatus(200, await at.call("GET", "/auth/me", { token })).body.data;
    const first = await me();
    expect(first).toMatchObject({ user: { email_verified: true }, has_second_factor: true, providers: ["example"] });
    expect(first.session.step_up_until).toBe(step_up_until);
    at.clock.advance(minutes(10));
    expect((await me()).session.step_up_until).toBeNull();

    const body = { mfa_token: await challenged(at, ada.email), code: await factor.code() };
    const { access_token } = expectStatus(200, await at.call("POST", "/auth/mfa/verify", { body })).body;
    expect((await me(access_token)).session).toMatchObject({ amr: ["pwd", "otp", "mfa"], step_up_until: null });
  });

  test("shows the person to whom the account is linked in each organization, and none for another's", async () => {
    const { installation: at, owner, student } = await newOwnSchool();
    const other = await newSchool(at);
    const personIn = async (member: Member) => {
      const { data } = expectStatus(200, await member.call("GET", "/auth/me")).body;
      return data.organizations.map((one: { person_id: string | null }) => one.person_id);
    };
    expect(await personIn(student)).toEqual([student.personId]);
    expect(await personIn(other.student)).toEqual([other.student.personId]);
    expectStatus(200, await owner.patch(`/people/${student.personId}`, { user_id: null }));
    expect(await personIn(student)).toEqual([null]);
  });

  test("an organization whose file can't be read keeps nobody out: its person is null", async () => {
    const { installation: at, student } = await newOwnSchool();
    const { tenant } = at.storage.tenants;
    const read = () => Promise.reject(new Problem("TENANT_UNAVAILABLE", "Try again later."));
    Object.assign(at.storage.tenants, {
      tenant: (id: Parameters<typeof tenant>[0]) =>
        Object.assign(Object.create(tenant.call(at.storage.tenants, id)), { read }),
    });
    const { data } = expectStatus(200, await student.call("GET", "/auth/me")).body;
    expect(data.organizations).toMatchObject([{ id: student.orgId, person_id: null }]);
    expect(data.organizations[0].permissions).toContain("flights:submit");
  });

  test("shows the permissions for the installation", async () => {
    const at = await newInstallation();
    const { token, email } = await newModerator(at);
    const { clock, storage } = at;
    const context = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;
    const permission = "platform_admin.debug:read";
    await grantPlatformPermission(context, { email, permission, evenUnverified: true });
    const { data } = expectStatus(200, await at.call("GET", "/auth/me", { token })).body;
    expect(data.platform_permissions).toEqual(["platform_admin.debug:read", "platform_admin.directory:moderate"]);
    expect(data.organizations).toEqual([]);
  });

  test("requires a session", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    expectStatus(401, await at.call("GET", "/auth/me"));
    await change(at, ada.email, { disabled_at: at.clock.now().toISOString() as never });
    expectStatus(401, await at.call("GET", "/auth/me", { token: ada.token }));
  });
});
