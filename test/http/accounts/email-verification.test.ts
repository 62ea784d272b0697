import { describe, expect, test } from "bun:test";
import { hours, minutes } from "../../../src/core/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { expectStatus } from "../../support/school.ts";
import { actions, prove, signUpAlone } from "./newcomers.ts";

describe("POST /auth/email/verification", () => {
  test("mails another link to the caller's address; the previous one stays valid", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const first = tokenIn(at.mails, ada.email, "verify");
    const answer = expectStatus(200, await at.call("POST", "/auth/email/verification", { token: ada.token }));
    expect(answer.body).toEqual({ status: "sent" });
    expect(at.mails.map(({ to }) => to)).toEqual([ada.email, ada.email]);
    expect(tokenIn(at.mails, ada.email, "verify")).not.toBe(first);
    expectStatus(200, await at.call("POST", "/auth/email/verify", { token: ada.token, body: { token: first } }));
    expect((await actions(at)).filter((action) => action === "email.verification_sent")).toHaveLength(2);
  });

  test("requires a session", async () => {
    const at = await newInstallation();
    expectStatus(401, await at.call("POST", "/auth/email/verification"));
  });

  test("rejects a verified address, and says so if mail is not configured", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await prove(at, ada);
    const proved = expectStatus(409, await at.call("POST", "/auth/email/verification", { token: ada.token }));
    expect(proved.body.error.reason).toBe("email_already_verified");
    expect(at.mails).toHaveLength(1);

    const silent = await newInstallation({ mail: false });
    const ben = await signUpAlone(silent);
    const unsent = expectStatus(409, await silent.call("POST", "/auth/email/verification", { token: ben.token }));
    expect(unsent.body.error.reason).toBe("mail_not_configured");
  });

  test("is limited to 3 an hour for each address, with that of the sign-up", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const ben = await signUpAlone(at, "ben@example.com");
    const send = ({ token }: { token: string }) => at.call("POST", "/auth/email/verification", { token });
    for (let n = 0; n < 2; n += 1) expectStatus(200, await send(ada));
    const refused = expectStatus(429, await send(ada));
    expect(refused.headers.get("ratelimit-policy")).toContain('"email-verification";q=3;w=3600');
    expectStatus(200, await send(ben));
    // Access tokens are valid for 15 minutes, so the test refreshes.
    at.clock.advance(hours(1));
    const body = { refresh_token: ada.refreshToken };
    const { access_token } = expectStatus(200, await at.call("POST", "/auth/refresh", { body })).body;
    expectStatus(200, await send({ token: access_token }));
    at.clock.advance(minutes(1));
    expect(at.mails.filter(({ to }) => to === ada.email)).toHaveLength(4);
  });
});
