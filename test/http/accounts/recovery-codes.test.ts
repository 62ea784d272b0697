import { describe, expect, test } from "bun:test";
import { recoveryCodes } from "../../../src/modules/accounts/mfa/mfa.tables.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { challenged, enroll, step, verify } from "../../support/second-factor.ts";
import { signUp } from "./newcomers.ts";

describe("GET /auth/mfa/recovery-codes", () => {
  test("counts all and unused codes, and shows no code", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const count = async () =>
      expectStatus(200, await at.call("GET", "/auth/mfa/recovery-codes", { token: olga.token })).body;
    expect(await count()).toEqual({ data: { total: 0, remaining: 0 } });
    const { recoveryCodes: codes } = await enroll(at, olga);
    await enroll(at, await signUp(at, "otto@example.com"));
    expect(await count()).toEqual({ data: { total: 10, remaining: 10 } });
    expectStatus(200, await verify(at, await challenged(at, olga.email), codes[0] ?? ""));
    expectStatus(200, await step(at, olga, codes[1] ?? ""));
    expect(await count()).toEqual({ data: { total: 10, remaining: 8 } });
  });

  test("requires a session", async () => {
    const at = await newInstallation();
    expect((await at.call("GET", "/auth/mfa/recovery-codes")).status).toBe(401);
  });

  test("are stored as hashes", async () => {
    const at = await newInstallation();
    const { recoveryCodes: codes } = await enroll(at, await signUp(at));
    const stored = JSON.stringify(await at.storage.control.read((reader) => reader.select().from(recoveryCodes)));
    for (const code of codes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll("-", ""));
    }
  });
});
