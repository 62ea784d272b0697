import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hours, minutes, seconds } from "../../../src/core/clock.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { expectStatus } from "../../support/school.ts";
import {
  actions,
  claim,
  invite,
  logIn,
  prove,
  renewed,
  type Standalone,
  signUp,
  signUpAlone,
  signUpAloneBody,
} from "./newcomers.ts";

const send = (at: Installation, { token }: { token: string }) => at.call("POST", "/auth/email/verification", { token });

/** Requests a mail an hour after the last one. @returns the account, signed in again */
async function sendLater<Who extends Standalone>(at: Installation, who: Who): Promise<Who> {
  at.clock.advance(hours(1));
  const now = await renewed(at, who);
  expect(expectStatus(200, await send(at, now)).body).toEqual({ status: "sent" });
  return now;
}

const mailsTo = (at: Installation, email: string) => at.mails.filter(({ to }) => to === email).length;

describe("POST /auth/email/verification", () => {
  test("mails another link to the caller's address; the previous one stays valid", async () => {
    const at = await newInstallation();
    const first = await signUpAlone(at);
    const token = tokenIn(at.mails, first.email, "verify");
    const ada = await sendLater(at, first);
    expect(at.mails.map(({ to }) => to)).toEqual([ada.email, ada.email]);
    expect(tokenIn(at.mails, ada.email, "verify")).not.toBe(token);
    expectStatus(200, await at.call("POST", "/auth/email/verify", { token: ada.token, body: { token } }));
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
    const proved = expectStatus(409, await send(at, ada));
    expect(proved.body.error.reason).toBe("email_already_verified");
    expect(at.mails).toHaveLength(1);

    const silent = await newInstallation({ mail: false });
    const ben = await signUpAlone(silent);
    const unsent = expectStatus(409, await send(silent, ben));
    expect(unsent.body.error.reason).toBe("mail_not_configured");
  });

  test("is limited to one an hour for each address, with that of the sign-up, and says when the next one can be sent", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const early = expectStatus(429, await send(at, ada));
    expect(early.body.error.code).toBe("RATE_LIMITED");
    expect(early.headers.get("retry-after")).toBe("3600");
    expect(early.headers.get("ratelimit-policy")).toContain('"email-verification";q=1;w=3600');
    expect(early.headers.get("ratelimit")).toContain('"email-verification";r=0;t=3600');

    at.clock.advance(hours(1) - seconds(1.5));
    const ben = await signUpAlone(at, "ben@example.com");
    const later = await renewed(at, ada);
    const last = expectStatus(429, await send(at, later));
    expect(last.headers.get("retry-after")).toBe("2");
    at.clock.advance(seconds(2));
    const sent = expectStatus(200, await send(at, later));
    expect(sent.headers.get("ratelimit")).toContain('"email-verification";r=0;t=3600');
    const answers = await Promise.all([send(at, later), send(at, later), send(at, ben)]);
    expect(answers.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
      [429, "3600"],
      [429, "3600"],
      [429, "3598"],
    ]);
    expect([mailsTo(at, ada.email), mailsTo(at, ben.email)]).toEqual([2, 1]);
  });

  test("of requests at the same time, sends one mail", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    at.clock.advance(hours(1));
    const later = await renewed(at, ada);
    const answers = await Promise.all([send(at, later), send(at, later), send(at, later)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    expect(mailsTo(at, ada.email)).toBe(2);
  });

  test("counts the mail of a claim, and a sign-up with the same address mails nothing", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const token = await invite(at, olga, "ines@example.com", ["student"]);
    const invited = mailsTo(at, "ines@example.com");
    const { data } = expectStatus(200, await claim(at, token)).body;
    const ines = { token: data.tokens.access_token };
    expectStatus(429, await send(at, ines));
    expectStatus(409, await at.call("POST", "/auth/signup", { body: signUpAloneBody("Ines@example.com") }));
    expect(mailsTo(at, "ines@example.com")).toBe(invited + 1);
  });

  test("a restart does not reset the limit, and a clock that was set back does not prolong it", async () => {
    const directory = await mkdtemp(join(tmpdir(), "windsock-verification-"));
    afterThisTest(() => rm(directory, { recursive: true, force: true }));
    const before = await newInstallation({ directory });
    const ada = await signUpAlone(before);
    await before.close();
    const at = await newInstallation({ directory, clock: before.clock });
    expectStatus(429, await send(at, ada));
    at.clock.advance(-minutes(2));
    const { access_token } = expectStatus(200, await logIn(at, ada.email)).body;
    expectStatus(200, await send(at, { token: access_token }));
  });
});
