import { describe, expect, test } from "bun:test";
import { bodyOf, operationsOf, resolve, type Schema, sharedDocumentOf } from "../../support/document.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, password } from "../../support/school.ts";
import { invitedStudent } from "../organizations/students.ts";
import { claim, claimsOf, invite, signUp } from "./newcomers.ts";

const sameOrigin = { "sec-fetch-site": "same-origin" };

/** Returns the `svc_refresh=…` of a `Set-Cookie`, as a browser sends it back. */
const cookieOf = (answer: { headers: Headers }) => answer.headers.get("set-cookie")?.split(";", 1).join("") ?? "";

async function signedInByCookie(at: Installation) {
  const { email } = await signUp(at);
  return expectStatus(200, await at.call("POST", "/auth/login", { body: { email, password, cookie: true } }));
}

const refresh = (at: Installation, cookie: string, headers: Record<string, string> = sameOrigin) =>
  at.call("POST", "/auth/refresh", { headers: { cookie, ...headers } });

describe("the cookie svc_refresh", () => {
  test("has the refresh token instead of the body, for /auth only and not readable by scripts", async () => {
    const at = await newInstallation();
    const answer = await signedInByCookie(at);
    expect(answer.body.refresh_token).toBeUndefined();
    expect(answer.headers.get("set-cookie")).toMatch(
      /^svc_refresh=[A-Za-z0-9_-]{70}; Max-Age=2592000; Path=\/auth; HttpOnly; SameSite=Strict$/,
    );
  });

  test("is `Secure` unless the installation is on 127.0.0.1", async () => {
    const at = await newInstallation({ env: { WINDSOCK_PUBLIC_URL: "https://ops.example.com" } });
    expect((await signedInByCookie(at)).headers.get("set-cookie")).toEndWith("; HttpOnly; SameSite=Strict; Secure");
  });

  test("is rotated like the token in the body", async () => {
    const at = await newInstallation();
    const first = cookieOf(await signedInByCookie(at));
    const answer = expectStatus(200, await refresh(at, `theme=dark; ${first}; lang=de`));
    expect(answer.body.refresh_token).toBeUndefined();
    expect(cookieOf(answer)).toStartWith("svc_refresh=");
    expect(cookieOf(answer)).not.toBe(first);
    expect((await refresh(at, cookieOf(answer))).status).toBe(200);
  });

  test.each([
    ["our own page", { "sec-fetch-site": "same-origin" }, 200],
    ["the address bar", { "sec-fetch-site": "none" }, 200],
    ["an older browser on our own page", { origin: "http://127.0.0.1:3000" }, 200],
    ["another origin of our site", { "sec-fetch-site": "same-site" }, 401],
    ["another site", { "sec-fetch-site": "cross-site", origin: "http://127.0.0.1:3000" }, 401],
    ["an older browser on another page", { origin: "http://evil.example" }, 401],
    ["a sandboxed page", { origin: "null" }, 401],
    ["a client that names no origin", {}, 401],
  ])("is accepted only from our own pages and the address bar: sent by %s", async (_, headers, status) => {
    const at = await newInstallation();
    const cookie = cookieOf(await signedInByCookie(at));
    expect((await refresh(at, cookie, headers)).status).toBe(status);
  });

  test("that is missing is no error if the body asks for it: 204, which says that there is no session", async () => {
    const at = await newInstallation();
    const ask = (body: object | undefined, headers = {}) => at.call("POST", "/auth/refresh", { body, headers });
    for (const headers of [sameOrigin, {}, { cookie: "theme=dark", ...sameOrigin }]) {
      const answer = expectStatus(204, await ask({ cookie: true }, headers));
      expect([answer.text, answer.headers.get("set-cookie")]).toEqual(["", null]);
    }
    for (const body of [undefined, {}, { cookie: false }]) expectStatus(400, await ask(body, sameOrigin));

    const cookie = cookieOf(await signedInByCookie(at));
    const renewed = expectStatus(200, await ask({ cookie: true }, { cookie, ...sameOrigin }));
    expect(renewed.body.refresh_token).toBeUndefined();
    expect(cookieOf(renewed)).toStartWith("svc_refresh=");
    // What is no session of this origin, or no longer one, is refused as ever.
    expectStatus(401, await ask({ cookie: true }, { cookie, "sec-fetch-site": "same-site" }));
    expectStatus(401, await ask({ cookie: true }, { cookie: "svc_refresh=nonsense", ...sameOrigin }));
    expectStatus(400, await ask({ cookie: "yes" }));
  });

  test("takes over from a token in the body, if asked to", async () => {
    const at = await newInstallation();
    const { refreshToken } = await signUp(at);
    const body = { refresh_token: refreshToken, cookie: true };
    const answer = expectStatus(200, await at.call("POST", "/auth/refresh", { body }));
    expect(answer.body.refresh_token).toBeUndefined();
    expectStatus(200, await refresh(at, cookieOf(answer)));
  });

  test("can be asked for in every operation that gives tokens", async () => {
    const at = await newInstallation();
    const document = sharedDocumentOf(at.app);
    const names = (schema: Schema | undefined, field: string) =>
      JSON.stringify(schema, (_, one) => (one?.$ref === undefined ? one : resolve(document, one)))?.includes(field);
    const giving = operationsOf(document).flatMap(([route, operation]) => {
      if (!route.includes(" /auth/")) return [];
      const { content } = operation.responses[200] ?? operation.responses[201] ?? {};
      if (!names(content?.["application/json"]?.schema, '"access_token"')) return [];
      return [names(bodyOf(operation)?.schema, '"cookie"') ? route : `${route} *`];
    });
    expect(giving.sort()).toEqual([
      "GET /auth/oauth/callback *", // as its start asked
      "POST /auth/establish-exchange",
      "POST /auth/login",
      "POST /auth/mfa/verify *", // as the sign-in asked that led to it
      "POST /auth/org-invites/claim",
      "POST /auth/refresh",
      "POST /auth/signup",
      "POST /auth/signup-org",
      "POST /auth/student-invites/claim",
    ]);
  });

  test("is rejected if the request has two cookies of its name", async () => {
    const at = await newInstallation();
    const cookie = cookieOf(await signedInByCookie(at));
    for (const both of [`svc_refresh=planted; ${cookie}`, `${cookie}; svc_refresh=planted`, `${cookie}; svc_refresh=`])
      expect((await refresh(at, both)).status).toBe(400);
    expectStatus(200, await refresh(at, cookie));
  });

  test("sent from another origin is rejected with a message that names the accepted origin", async () => {
    const at = await newInstallation();
    const cookie = cookieOf(await signedInByCookie(at));
    const { body } = expectStatus(401, await refresh(at, cookie, { "sec-fetch-site": "same-site" }));
    expect(body.error.message).toContain("http://127.0.0.1:3000 (WINDSOCK_PUBLIC_URL)");
    // An accepted cookie with an invalid token gets another message.
    const spent = expectStatus(401, await refresh(at, "svc_refresh=nonsense"));
    expect(spent.body.error.message).not.toContain("WINDSOCK_PUBLIC_URL");
  });

  test("has the token of an account created by an invite, but not of an existing account", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const token = await invite(at, olga, "ben@example.com", ["mechanic"]);
    const ben = expectStatus(200, await claim(at, token, { password, cookie: true }));
    expect(ben.body.data.tokens.refresh_token).toBeUndefined();
    expectStatus(200, await refresh(at, cookieOf(ben)));

    const student = { token: (await invitedStudent(at, olga)).token, password, cookie: true };
    const anna = expectStatus(200, await at.call("POST", "/auth/student-invites/claim", { body: student }));
    expect(anna.body.data.tokens.refresh_token).toBeUndefined();
    expectStatus(200, await refresh(at, cookieOf(anna)));

    const otto = await signUp(at, "otto@example.com");
    const joined = await claim(at, await invite(at, olga, otto.email, ["student"]), { cookie: true }, otto);
    expect(expectStatus(200, joined).headers.get("set-cookie")).toBeNull();
  });

  test("has the token of a handed-on session", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { token } = expectStatus(200, await at.call("POST", "/auth/establish-token", { token: olga.token })).body;
    const answer = await at.call("POST", "/auth/establish-exchange", { body: { token, cookie: true } });
    expect(expectStatus(200, answer).body).toMatchObject({ account_type: "org" });
    expect(answer.body.refresh_token).toBeUndefined();
    expectStatus(200, await refresh(at, cookieOf(answer)));
  });

  test("is ignored if the body has a token, and the response is then in the body", async () => {
    const at = await newInstallation();
    const cookie = cookieOf(await signedInByCookie(at));
    const { refreshToken, userId } = await signUp(at, "otto@example.com");
    const call = { headers: { cookie, ...sameOrigin }, body: { refresh_token: refreshToken } };
    const answer = expectStatus(200, await at.call("POST", "/auth/refresh", call));
    expect(answer.body.refresh_token).toBeString();
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(claimsOf(answer.body.access_token).sub).toBe(userId);
    expect((await refresh(at, cookie)).status).toBe(200);
  });

  test("logs out, and is cleared even if it is invalid", async () => {
    const at = await newInstallation();
    const cookie = cookieOf(await signedInByCookie(at));
    const out = () => at.call("POST", "/auth/logout", { headers: { cookie, ...sameOrigin } });
    const gone = "svc_refresh=; Max-Age=0; Path=/auth; HttpOnly; SameSite=Strict";
    const first = await out();
    expect([first.status, first.headers.get("set-cookie")]).toEqual([200, gone]);
    const second = await out();
    expect([second.status, second.headers.get("set-cookie")]).toEqual([401, gone]);
    expect((await refresh(at, cookie)).status).toBe(401);
  });

  test("does not log out for another site", async () => {
    const at = await newInstallation();
    const cookie = cookieOf(await signedInByCookie(at));
    const headers = { cookie, "sec-fetch-site": "cross-site" };
    const answer = await at.call("POST", "/auth/logout", { headers });
    expect([answer.status, answer.headers.has("set-cookie")]).toEqual([401, false]);
    expect((await refresh(at, cookie)).status).toBe(200);
  });
});
