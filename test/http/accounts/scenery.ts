import { eq } from "drizzle-orm";
import { hours, shift } from "../../../src/core/clock.ts";
import type { UserId } from "../../../src/core/ids.ts";
import { emailTokens } from "../../../src/modules/accounts/accounts.tables.ts";
import { tokenIn } from "../../support/mails.ts";
import { allowedPage, begin, comeBack, providerOf } from "../../support/oidc.ts";
import { type Called, next, type Scenery, type StagedSchool } from "../../support/scenery.ts";
import { expectStatus, type Member, password } from "../../support/school.ts";
import { authenticator, challenged, enroll } from "../../support/second-factor.ts";

export const accountsScenery: Scenery = {
  bodies: {
    "POST /auth/login": async ({ owner, orgId }) => ({ email: owner.email, password, org_id: orgId }),
    "POST /auth/mfa/verify": async (school) => {
      const { email, code } = await enrolled(school);
      return { mfa_token: await challenged(school.installation, email), code };
    },
    "POST /auth/refresh": async (school) => ({ refresh_token: (await logIn(school, school.owner)).refresh_token }),
    "POST /auth/logout": async (school) => ({ refresh_token: (await logIn(school, school.owner)).refresh_token }),
    "POST /auth/oauth/start": async () => ({ redirect_to: allowedPage }),
    "POST /auth/signup": async () => ({ email: `ada${next()}@example.com` }),
    "POST /auth/password": async () => ({ current_password: password }),
    "POST /auth/password/reset": async (school) => ({ token: await mailedToken(school, "reset") }),
    "POST /auth/email/verify": async (school) => ({ token: await mailedToken(school, "verify") }),
    "POST /auth/signup-org": async () => ({ email: `ada${next()}@example.com` }),
  },
  callers: {
    "GET /auth/sessions/{sessionId}": signedInTwice,
    "DELETE /auth/sessions/{sessionId}": signedInTwice,
    "GET /auth/identities/{provider}": linked,
    "DELETE /auth/identities/{provider}": linked,
    // An hour after the mail of the sign-up. The clock is shared, so the time of the mail is set back instead.
    "POST /auth/email/verification": async (school) => {
      const { token, userId } = await school.join(["student"], `Unverified ${next()}`);
      await school.installation.storage.control.write((tx) =>
        tx
          .update(emailTokens)
          .set({ created_at: shift(tx.now, -hours(1)) })
          .where(eq(emailTokens.user_id, userId as UserId)),
      );
      return { caller: token };
    },
    "POST /auth/mfa/enroll/verify": async (school) => {
      const { token } = await school.join(["student"], `Beginner ${next()}`);
      const begun = await school.installation.call("POST", "/auth/mfa/enroll/start", { token });
      const codes = authenticator(school.installation, expectStatus(200, begun).body.data.secret);
      return { caller: token, body: { code: await codes.code() } };
    },
    "POST /auth/mfa/recovery-codes/regenerate": async (school) => {
      const { token } = await enrolled(school);
      return { caller: token };
    },
    "POST /auth/mfa/step": async (school) => {
      const { token, code } = await enrolled(school);
      return { caller: token, body: { code } };
    },
  },
  arrivals: {
    "GET /auth/oauth/callback": async ({ installation }) => {
      const begun = await begin(installation);
      const claims = { sub: `arrived-${next()}`, email: `arrived${next()}@example.com`, email_verified: true };
      return { query: providerOf(installation).admit(begun, claims), headers: { cookie: begun.cookie } };
    },
  },
};

interface Session {
  access_token: string;
  refresh_token: string;
}

async function signedInTwice(school: StagedSchool): Promise<Called> {
  const member = await school.join(["student"], `Twice signed in ${next()}`);
  return { caller: member.token, params: { sessionId: sessionOf(await newSession(school, member)) } };
}

async function linked(school: StagedSchool): Promise<Called> {
  const { installation } = school;
  const { token } = await school.join(["student"], `Linked ${next()}`);
  const begun = await begin(installation, { token });
  const back = providerOf(installation).admit(begun, { sub: `linked-${next()}` });
  expectStatus(200, await comeBack(installation, back, begun.cookie));
  return { caller: token, params: { provider: "google" } };
}

async function enrolled(school: StagedSchool): Promise<{ token: string; email: string; code: string }> {
  const { token, email } = await school.join(["student"], `Enrolled ${next()}`);
  const factor = await enroll(school.installation, { token });
  return { token, email, code: await factor.code() };
}

async function logIn({ installation }: StagedSchool, { email }: Pick<Member, "email">): Promise<Session> {
  const answer = await installation.call("POST", "/auth/login", {
    body: { email, password },
    from: `203.0.113.${next() % 250}`,
  });
  return expectStatus(200, answer).body;
}

/** Returns an access token of a new session. */
export const newSession = async (school: StagedSchool, member: Pick<Member, "email">): Promise<string> =>
  (await logIn(school, member)).access_token;

/** Returns the session of an access token. */
const sessionOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString()).sid;

/** Returns a token that was mailed to a new account. */
async function mailedToken({ installation }: StagedSchool, action: "reset" | "verify"): Promise<string> {
  const email = `mailed${next()}@example.com`;
  const from = `203.0.113.${next() % 250}`;
  const body = { email, password, name: "Mailed" };
  expectStatus(201, await installation.call("POST", "/auth/signup", { body, from }));
  if (action === "reset") await installation.call("POST", "/auth/password/forgot", { body: { email }, from });
  return tokenIn(installation.mails, email, action);
}
