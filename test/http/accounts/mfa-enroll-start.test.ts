import { describe, expect, test } from "bun:test";
import { totpEnrollments } from "../../../src/modules/accounts/mfa/mfa.tables.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { authenticator, enroll } from "../../support/second-factor.ts";
import { actions, logIn, signUp } from "./newcomers.ts";

describe("POST /auth/mfa/enroll/start", () => {
  test("returns a secret as text, as a link and as a QR code", async () => {
    const at = await newInstallation();
    const { token, email } = await signUp(at);
    const { data } = expectStatus(200, await at.call("POST", "/auth/mfa/enroll/start", { token })).body;
    // 160 bits, without padding.
    expect(data.secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(data.otpauth_uri);
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      "otpauth:",
      "totp",
      `/Windsock:${email}`,
    ]);
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: data.secret, issuer: "Windsock" });
    expect(data.qr_svg).toStartWith("<svg");
    expect((await actions(at)).at(-1)).toBe("mfa.enrollment_started");

    const [row] = await at.storage.control.read((reader) => reader.select().from(totpEnrollments));
    expect(row?.confirmed_at).toBeNull();
    expect(JSON.stringify(row)).not.toContain(data.secret);
  });

  test("uses the given issuer and account names, at their maximum length too", async () => {
    const at = await newInstallation();
    const { token } = await signUp(at);
    const body = { issuer: "飛".repeat(64), label: "😀".repeat(64) };
    const { data } = expectStatus(200, await at.call("POST", "/auth/mfa/enroll/start", { token, body })).body;
    expect(decodeURIComponent(new URL(data.otpauth_uri).pathname)).toBe(`/${body.issuer}:${body.label}`);
  });

  test("does not require a code at a sign-in yet", async () => {
    const at = await newInstallation();
    const { token, email } = await signUp(at);
    await at.call("POST", "/auth/mfa/enroll/start", { token });
    expect((await logIn(at, email)).body).toHaveProperty("access_token");
  });

  test("replaces an unconfirmed enrollment: only a code of the newest secret confirms it", async () => {
    const at = await newInstallation();
    const { token } = await signUp(at);
    const begin = async () =>
      authenticator(at, expectStatus(200, await at.call("POST", "/auth/mfa/enroll/start", { token })).body.data.secret);
    const [first, second] = [await begin(), await begin()];
    const confirm = async (code: string) =>
      (await at.call("POST", "/auth/mfa/enroll/verify", { token, body: { code } })).status;
    expect(await confirm(await first.code())).toBe(400);
    expect(await confirm(await second.code())).toBe(200);
  });

  test.each([
    ["an issuer with a colon", { issuer: "Wind:sock" }],
    ["a label of two lines", { label: "ada\nlovelace" }],
    ["an empty issuer", { issuer: " " }],
    ["an issuer that is too long", { issuer: "x".repeat(65) }],
    ["a label that is too long", { label: "x".repeat(129) }],
    ["an unknown field", { secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" }],
  ])("rejects %s", async (_, body) => {
    const at = await newInstallation();
    const { token } = await signUp(at);
    expect((await at.call("POST", "/auth/mfa/enroll/start", { token, body })).status).toBe(400);
  });

  test("requires a session", async () => {
    const at = await newInstallation();
    expect((await at.call("POST", "/auth/mfa/enroll/start")).status).toBe(401);
  });

  test("rejects an account with a second factor, and leaves it unchanged", async () => {
    const at = await newInstallation();
    const { token } = await signUp(at);
    const factor = await enroll(at, { token });
    const before = await at.storage.control.read((reader) => reader.select().from(totpEnrollments));
    const answer = await at.call("POST", "/auth/mfa/enroll/start", { token });
    expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"]);
    expect(answer.text).not.toContain(factor.secret);
    expect(await at.storage.control.read((reader) => reader.select().from(totpEnrollments))).toEqual(before);
  });
});
