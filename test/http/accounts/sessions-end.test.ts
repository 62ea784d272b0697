import { describe, expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, password } from "../../support/school.ts";
import { controlAudit, freshAddress, isLetIn, logIn, refresh, signUp } from "./newcomers.ts";

const list = (at: Installation, token: string, query = "") => at.call("GET", `/auth/sessions${query}`, { token });
const end = (at: Installation, token: string, id: string, headers: Record<string, string> = {}) =>
  at.call("DELETE", `/auth/sessions/${id}`, { token, headers });

async function signIn(at: Installation, email: string, userAgent: string, from = freshAddress()) {
  const headers = { "user-agent": userAgent };
  const answer = await at.call("POST", "/auth/login", { body: { email, password }, headers, from });
  const { access_token: token, refresh_token: refreshToken } = expectStatus(200, answer).body;
  return { token, refreshToken };
}

describe("DELETE /auth/sessions/{sessionId}", () => {
  test("ends the session and its access token immediately, and no other", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const phone = await signIn(at, olga.email, "Phone");
    const { data } = (await list(at, olga.token)).body;
    const { id } = data.find(({ device }: { device: string }) => device === "Phone");

    const answer = await end(at, olga.token, id, { cookie: "svc_refresh=whatever" });
    expect([answer.status, answer.body, answer.headers.get("set-cookie")]).toEqual([
      200,
      { status: "signed_out" },
      null,
    ]);
    expect(await isLetIn(at, { ...olga, token: phone.token })).toBe(false);
    expect((await refresh(at, phone.refreshToken)).status).toBe(401);
    expect(await isLetIn(at, olga)).toBe(true);
    expect((await controlAudit(at)).at(-1)).toMatchObject({
      action: "session.ended",
      actor_id: olga.userId,
      subject_id: id,
    });
    expect((await end(at, olga.token, id)).status).toBe(404);
  });

  test("ends the current session, and clears the cookie", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const [{ id }] = (await list(at, olga.token)).body.data;
    const answer = await end(at, olga.token, id);
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([
      200,
      "svc_refresh=; Max-Age=0; Path=/auth; HttpOnly; SameSite=Strict",
    ]);
    expect(await isLetIn(at, olga)).toBe(false);
  });

  test("answers 404 for other accounts' sessions, ended ones and unknown ones", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const [{ id: ottos }] = (await list(at, otto.token)).body.data;
    expect((await end(at, olga.token, ottos)).status).toBe(404);
    expect(await isLetIn(at, otto)).toBe(true);

    const [{ id: first }] = (await list(at, olga.token)).body.data;
    at.clock.advance(days(30));
    const { access_token: token } = expectStatus(200, await logIn(at, olga.email)).body;
    for (const id of [first, "01890a5d-0000-7000-8000-000000000000", "nonsense"]) {
      expect((await end(at, token, id)).status).toBe(404);
    }
  });

  test("requires a session", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const [{ id }] = (await list(at, olga.token)).body.data;
    expect((await at.call("DELETE", `/auth/sessions/${id}`)).status).toBe(401);
    expect(await isLetIn(at, olga)).toBe(true);
  });
});
