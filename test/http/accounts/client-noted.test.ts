/** Every way to sign in records the client's address and user agent, which the list of sessions shows. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { sessions } from "../../../src/modules/accounts/accounts.tables.ts";
import { type Answer, type Call, type Installation, newInstallation } from "../../support/installation.ts";
import { begin, newInstallationWithProvider, providerOf } from "../../support/oidc.ts";
import { expectStatus, password } from "../../support/school.ts";
import { challenged, enroll } from "../../support/second-factor.ts";
import { invitedStudent } from "../organizations/students.ts";
import { invite, signUp, signUpAloneBody, signUpBody } from "./newcomers.ts";

/** Sends a request with a unique address and user agent. */
type Ask = (method: string, path: string, call?: Call) => Promise<Answer>;

const ways: [string, (at: Installation, ask: Ask) => Promise<Answer>][] = [
  ["POST /auth/signup", (_, ask) => ask("POST", "/auth/signup", { body: signUpAloneBody() })],
  ["POST /auth/signup-org", (_, ask) => ask("POST", "/auth/signup-org", { body: signUpBody() })],
  [
    "POST /auth/login",
    async (at, ask) => {
      const { email } = await signUp(at);
      return ask("POST", "/auth/login", { body: { email, password } });
    },
  ],
  [
    "POST /auth/mfa/verify",
    async (at, ask) => {
      const olga = await signUp(at);
      const { code } = await enroll(at, olga);
      const body = { mfa_token: await challenged(at, olga.email), code: await code() };
      return ask("POST", "/auth/mfa/verify", { body });
    },
  ],
  [
    "POST /auth/establish-exchange",
    async (at, ask) => {
      const { token } = await signUp(at);
      const issued = expectStatus(200, await at.call("POST", "/auth/establish-token", { token })).body;
      return ask("POST", "/auth/establish-exchange", { body: { token: issued.token } });
    },
  ],
  [
    "POST /auth/org-invites/claim",
    async (at, ask) => {
      const token = await invite(at, await signUp(at), "ines@example.com", ["student"]);
      return ask("POST", "/auth/org-invites/claim", { body: { token, password } });
    },
  ],
  [
    "POST /auth/student-invites/claim",
    async (at, ask) => {
      const { token } = await invitedStudent(at, await signUp(at));
      return ask("POST", "/auth/student-invites/claim", { body: { token, password } });
    },
  ],
  [
    "GET /auth/oauth/callback",
    async (at, ask) => {
      const begun = await begin(at);
      const back = providerOf(at).admit(begun, { sub: "ada-1", email: "ada@example.com", email_verified: true });
      return ask("GET", `/auth/oauth/callback?${back}`, { headers: { cookie: begun.cookie } });
    },
  ],
];

test.each(ways)("%s records the client's address and user agent", async (way, comeIn) => {
  const at = way.includes("oauth") ? await newInstallationWithProvider() : await newInstallation();
  const ask: Ask = (method, path, call) =>
    at.call(method, path, {
      ...call,
      headers: { ...call?.headers, "user-agent": "Their browser" },
      from: "203.0.113.77",
    });
  const { status } = await comeIn(at, ask);
  expect([200, 201]).toContain(status);
  const [newest] = await at.storage.control.read((reader) =>
    reader.select().from(sessions).orderBy(sql`rowid desc`).limit(1),
  );
  expect(newest).toMatchObject({ address: "203.0.113.77", user_agent: "Their browser" });
});
