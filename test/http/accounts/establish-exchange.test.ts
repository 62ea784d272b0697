import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { days, minutes, seconds } from "../../../src/core/clock.ts";
import type { OrgId, SessionId } from "../../../src/core/ids.ts";
import { memberships, users } from "../../../src/identity/identity.tables.ts";
import { sessions } from "../../../src/modules/accounts/accounts.tables.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, statuses, times } from "../../support/school.ts";
import { claim, claimsOf, controlAudit, invite, isLetIn, logIn, type Newcomer, refresh, signUp } from "./newcomers.ts";

async function issued(at: Installation, { token }: Pick<Newcomer, "token">, accountType?: "org" | "pilot") {
  const body = accountType && { account_type: accountType };
  const answer = await at.call("POST", "/auth/establish-token", { token, body });
  return expectStatus(200, answer).body.token as string;
}

const exchange = (at: Installation, token: unknown, headers: Record<string, string> = {}) =>
  at.call("POST", "/auth/establish-exchange", { body: { token }, headers });

const nil = "00000000-0000-0000-0000-000000000000" as SessionId;
const sessionRows = ({ storage }: Installation) => storage.control.read((reader) => reader.select().from(sessions));

describe("POST /auth/establish-exchange", () => {
  test("opens a session that ends with the original session, but not the reverse", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const answer = await exchange(at, await issued(at, olga));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ token_type: "Bearer", expires_in: 900, account_type: "org" });
    const { access_token: token, refresh_token } = answer.body;
    expect(claimsOf(token)).toMatchObject({ sub: olga.userId, org: olga.orgId });
    expect(await isLetIn(at, { token, orgId: olga.orgId })).toBe(true);

    const second = expectStatus(200, await exchange(at, await issued(at, olga))).body;
    expectStatus(200, await at.call("POST", "/auth/logout", { token: second.access_token }));
    expect(await isLetIn(at, olga)).toBe(true);
    expect(await isLetIn(at, { token, orgId: olga.orgId })).toBe(true);

    expectStatus(200, await at.call("POST", "/auth/logout", { token: olga.token }));
    expect(await isLetIn(at, { token, orgId: olga.orgId })).toBe(false);
    expect((await refresh(at, refresh_token)).status).toBe(401);
    const [from, made] = await sessionRows(at);
    expect(made?.handed_on_from).toBe(from?.id ?? null);
    const ended = (await controlAudit(at)).at(-1);
    expect([ended?.action, ended?.subject_id]).toEqual(["session.ended", from?.id ?? ""]);
    expect(JSON.parse(ended?.payload ?? "").after.handed_on).toEqual([made?.id]);
  });

  test("writes an audit row for the token and one for the exchange", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    expectStatus(200, await exchange(at, await issued(at, olga)));
    const [, made] = await sessionRows(at);
    const audited = (await controlAudit(at)).filter(({ action }) => action.startsWith("handoff."));
    expect(audited.map(({ action, subject_id: subjectId }) => [action, subjectId])).toEqual([
      ["handoff.issued", expect.any(String)],
      ["handoff.exchanged", made?.id ?? ""],
    ]);
  });

  test("keeps the methods and the time of the sign-in, and ends 90 days after it, after any number of hand-offs", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    await at.storage.control.write((tx) =>
      tx.update(sessions).set({ amr: ["pwd", "otp", "mfa"], second_factor_at: tx.now, step_up_until: tx.now }),
    );
    at.clock.advance(minutes(10));
    const first = expectStatus(200, await exchange(at, await issued(at, olga))).body;
    at.clock.advance(minutes(10));
    expectStatus(200, await exchange(at, await issued(at, { token: first.access_token })));

    const [from, ...handedOn] = await sessionRows(at);
    expect(handedOn).toHaveLength(2);
    for (const session of handedOn) {
      expect(session).toMatchObject({ amr: ["pwd", "otp", "mfa"], second_factor_at: null, step_up_until: null });
      expect([session.auth_time, session.ends_at]).toEqual([from?.auth_time, from?.ends_at] as string[] as never);
    }
    expect(claimsOf(first.access_token)).toMatchObject({ amr: ["pwd", "otp", "mfa"] });
  });

  test("ends when the original session's refresh token is reused, after any number of hand-offs", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const elsewhere = expectStatus(200, await logIn(at, olga.email)).body;
    const ottos = expectStatus(200, await exchange(at, await issued(at, otto))).body;
    // A thief of the access token hands the session on, twice.
    const first = expectStatus(200, await exchange(at, await issued(at, olga))).body;
    const second = expectStatus(200, await exchange(at, await issued(at, { token: first.access_token }))).body;
    expectStatus(200, await refresh(at, olga.refreshToken));
    at.clock.advance(minutes(1));
    expect((await refresh(at, olga.refreshToken)).status).toBe(401);

    for (const { access_token: token, refresh_token } of [first, second]) {
      expect(await isLetIn(at, { token, orgId: olga.orgId })).toBe(false);
      expect((await refresh(at, refresh_token)).status).toBe(401);
    }
    expect((await refresh(at, elsewhere.refresh_token)).status).toBe(200);
    expect((await refresh(at, ottos.refresh_token)).status).toBe(200);
    const reused = (await controlAudit(at)).find(({ action }) => action === "session.reuse_detected");
    expect(JSON.parse(reused?.payload ?? "").after.handed_on).toHaveLength(2);
  });

  test("ends when the original session is ended from another session, even if a session between them has expired", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const [parent] = await sessionRows(at);
    const elsewhere = expectStatus(200, await logIn(at, olga.email)).body;
    const first = expectStatus(200, await exchange(at, await issued(at, olga))).body;
    const second = expectStatus(200, await exchange(at, await issued(at, { token: first.access_token }))).body;
    await at.storage.control.write((tx) =>
      tx
        .update(sessions)
        .set({ idle_until: tx.now })
        .where(eq(sessions.handed_on_from, parent?.id ?? nil)),
    );
    expect((await refresh(at, second.refresh_token)).status).toBe(200);

    const token = elsewhere.access_token;
    expectStatus(200, await at.call("DELETE", `/auth/sessions/${parent?.id}`, { token }));
    expect(await isLetIn(at, { token: second.access_token, orgId: olga.orgId })).toBe(false);
    expect((await refresh(at, elsewhere.refresh_token)).status).toBe(200);
  });

  test("continues when the original session expires from idleness", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    let pair = expectStatus(200, await exchange(at, await issued(at, olga))).body;
    at.clock.advance(days(20));
    pair = expectStatus(200, await refresh(at, pair.refresh_token)).body;
    at.clock.advance(days(20));
    expect((await refresh(at, olga.refreshToken)).status).toBe(401);
    expect((await refresh(at, pair.refresh_token)).status).toBe(200);
  });

  test("`org` acts in the organization of the original session", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    expectStatus(200, await claim(at, await invite(at, olga, otto.email, ["mechanic"]), {}, otto));
    const { access_token: token } = expectStatus(200, await logIn(at, otto.email, { org_id: olga.orgId })).body;
    const { body } = await exchange(at, await issued(at, { token }));
    expect(claimsOf(body.access_token).org).toBe(olga.orgId);
    expect(claimsOf((await refresh(at, body.refresh_token)).body.access_token).org).toBe(olga.orgId);
  });

  test("`pilot` acts in no organization, also after a refresh", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { body } = await exchange(at, await issued(at, olga, "pilot"));
    expect([body.account_type, claimsOf(body.access_token).org]).toEqual(["pilot", null]);
    const refreshed = expectStatus(200, await refresh(at, body.refresh_token)).body;
    expect(claimsOf(refreshed.access_token).org).toBeNull();
    // A request that names an organization depends on the membership there.
    expect(await isLetIn(at, { token: refreshed.access_token, orgId: olga.orgId })).toBe(true);

    const back = await exchange(at, await issued(at, { token: refreshed.access_token }, "org"));
    expect(claimsOf(back.body.access_token).org).toBe(olga.orgId);
  });

  test("works once: of eight concurrent exchanges one succeeds, and later ones fail", async () => {
    const at = await newInstallation();
    const token = await issued(at, await signUp(at));
    const answers = await Promise.all(times(8, () => exchange(at, token)));
    expect(statuses(answers)).toEqual([200, ...times(7, () => 401)]);
    expect((await exchange(at, token)).status).toBe(401);
    expect(await sessionRows(at)).toHaveLength(2);
  });

  test("is valid for 60 seconds", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const [first, second] = [await issued(at, olga), await issued(at, olga)];
    at.clock.advance(seconds(60) - 1);
    expect((await exchange(at, first)).status).toBe(200);
    at.clock.advance(1);
    expect((await exchange(at, second)).status).toBe(401);
  });

  test("rejects a token whose session has ended, account is disabled or membership is removed", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const byLogIn = async () => ({ token: expectStatus(200, await logIn(at, olga.email)).body.access_token });

    const ended = await byLogIn();
    const afterLogOut = await issued(at, ended);
    expectStatus(200, await at.call("POST", "/auth/logout", ended));
    expect((await exchange(at, afterLogOut)).status).toBe(401);

    const afterLeaving = await issued(at, olga, "org");
    const left = await at.storage.control.read((reader) => reader.select().from(memberships));
    await at.storage.control.write((tx) => tx.delete(memberships));
    expect((await exchange(at, afterLeaving)).status).toBe(401);
    await at.storage.control.write((tx) => tx.insert(memberships).values(left));

    const afterDisabling = await issued(at, olga);
    await at.storage.control.write((tx) =>
      tx.update(users).set({ disabled_at: tx.now }).where(eq(users.email, olga.email)),
    );
    expect((await exchange(at, afterDisabling)).status).toBe(401);
  });

  test("rejects a token whose session has expired after 30 idle days", async () => {
    const at = await newInstallation();
    const token = await issued(at, await signUp(at));
    at.clock.advance(days(31));
    expect((await exchange(at, token)).status).toBe(401);
  });

  test.each([
    ["no token", undefined, 400],
    ["an empty token", "", 400],
    ["a number", 7, 400],
    ["an unknown token", "A".repeat(43), 401],
    ["a token of another format", "x", 401],
  ])("rejects %s", async (_, token, status) => {
    const at = await newInstallation();
    const answer = await exchange(at, token);
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.body.error.code).toBe("UNAUTHORIZED");
  });

  test("rejects tokens of other kinds", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const invited = await invite(at, olga, "ines@example.com", ["student"]);
    for (const token of [olga.token.slice(0, 200), olga.refreshToken, invited]) {
      expect((await exchange(at, token)).status).toBe(401);
    }
  });
});

test("a login cannot name the nil UUID as its organization", async () => {
  const at = await newInstallation();
  const { email } = await signUp(at);
  const nil = "00000000-0000-0000-0000-000000000000" as OrgId;
  expect((await logIn(at, email, { org_id: nil })).status).toBe(403);
});
