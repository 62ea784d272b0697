/** Accounts have a language: at first that of the browser that creates them. Their mails are in it. */
import { describe, expect, test } from "bun:test";
import { preferredLanguage } from "../../../src/core/languages.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { begin, newInstallationWithProvider, providerOf } from "../../support/oidc.ts";
import { expectStatus, newOwnSchool, password } from "../../support/school.ts";
import {
  actions,
  freshAddress,
  invite,
  prove,
  signUp,
  signUpAlone,
  signUpAloneBody,
  signUpBody,
  stored,
} from "./newcomers.ts";

const german = { "accept-language": "de-AT,de;q=0.9,en;q=0.8" };

const setLanguage = (at: Installation, { token }: { token: string }, language: unknown) =>
  at.call("PATCH", "/auth/me", { token, body: { language } });

test.each([
  ["de", "de"],
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["fr, EN;q=0.5, de;q=0.6", "de"],
  ["en, de", "en"],
  ["de;q=0, fr", "en"],
  ["de;q=nonsense", "en"],
  ["den", "en"],
  ["*", "en"],
  ["", "en"],
  [null, "en"],
] as const)("of the Accept-Language %p, %s is preferred", (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

describe("a new account has the language of the browser", () => {
  test("of a sign-up with and without an organization, and its first mail is in it", async () => {
    const at = await newInstallation();
    const alone = await at.call("POST", "/auth/signup", { body: signUpAloneBody(), headers: german });
    expect(expectStatus(201, alone).body.data.user.language).toBe("de");
    const school = await at.call("POST", "/auth/signup-org", { body: signUpBody(), headers: german });
    expect(expectStatus(201, school).body.data.user.language).toBe("de");
    expect(at.mails.map(({ subject }) => subject)).toEqual(Array(2).fill("Bestätigen Sie Ihre E-Mail-Adresse"));
    expect(at.mails[0]?.text).toContain("#verify=");
  });

  test("of the claim of an invite", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const token = await invite(at, olga, "ines@example.com", ["instructor"]);
    const body = { token, password };
    expectStatus(200, await at.call("POST", "/auth/org-invites/claim", { body, headers: german }));
    expect((await stored(at, "ines@example.com")).language).toBe("de");
  });

  test("of a sign-in through a provider", async () => {
    const at = await newInstallationWithProvider({ env: { WINDSOCK_OAUTH_REDIRECTS: "" } });
    const begun = await begin(at);
    const email = "cora@example.com";
    const back = providerOf(at).admit(begun, { sub: "g-1", email, email_verified: true });
    const headers = { ...german, cookie: begun.cookie ?? "" };
    expectStatus(200, await at.call("GET", `/auth/oauth/callback?${back}`, { headers }));
    expect((await stored(at, email)).language).toBe("de");
  });
});

describe("PATCH /auth/me", () => {
  test("changes the language, once in the audit log, and without a field nothing", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const before = (await actions(at)).length;
    for (let times = 0; times < 2; times += 1) {
      expect(expectStatus(200, await setLanguage(at, ada, "de")).body.data.user.language).toBe("de");
    }
    expect((await actions(at)).slice(before)).toEqual(["user.updated"]);
    const unchanged = await at.call("PATCH", "/auth/me", { token: ada.token, body: {} });
    expect(expectStatus(200, unchanged).body.data.user.language).toBe("de");
  });

  test("changes the name, as members see it, and keeps the language", async () => {
    const { owner } = await newOwnSchool();
    const rename = (name: string) => owner.call("PATCH", "/auth/me", { body: { name } });
    expect(expectStatus(200, await rename(" Olga Sommer ")).body.data.user).toMatchObject({
      ...{ name: "Olga Sommer", language: "en" },
    });
    expect(expectStatus(200, await owner.get(`/members/${owner.userId}`)).body.data.name).toBe("Olga Sommer");
    for (const name of ["", " ", "x".repeat(121)]) expectStatus(400, await rename(name));
  });

  test("refuses other languages, other fields and strangers", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    expectStatus(400, await setLanguage(at, ada, "fr"));
    expectStatus(400, await setLanguage(at, ada, null));
    expectStatus(400, await at.call("PATCH", "/auth/me", { token: ada.token, body: { email: "x@example.com" } }));
    expectStatus(401, await at.call("PATCH", "/auth/me", { body: { language: "de" } }));
    expect((await stored(at, ada.email)).language).toBe("en");
  });
});

describe("mails to an account are in its language", () => {
  test("resets and notices", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await prove(at, ada);
    expectStatus(200, await setLanguage(at, ada, "de"));
    at.mails.length = 0;
    const { email } = ada;
    const forgot = { body: { email }, headers: { "accept-language": "en" }, from: freshAddress() };
    expect((await at.call("POST", "/auth/password/forgot", forgot)).status).toBeLessThan(300);
    const body = { current_password: password, new_password: "another horse battery" };
    expectStatus(200, await at.call("POST", "/auth/password", { token: ada.token, body }));
    const [reset, notice] = at.mails;
    expect(reset?.subject).toBe("Wählen Sie ein neues Passwort");
    expect(reset?.text).toContain("#reset=");
    expect(notice?.subject).toBe("Ihr Passwort wurde geändert");
    expect(notice?.text).toContain(at.config.publicUrl);
    expect(notice?.text).toContain("Wenn Sie das nicht waren");
  });

  test("an invite is in the language of the address's account, otherwise in that of the member who invites", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const ada = await signUpAlone(at);
    expectStatus(200, await setLanguage(at, olga, "de"));
    at.mails.length = 0;
    await invite(at, olga, "new@example.com", ["instructor", "mechanic"]);
    await invite(at, olga, ada.email, ["instructor"]);
    const [toNew, toAda] = at.mails;
    expect(toNew?.subject).toBe("Einladung zu den Daten einer Flugschule");
    expect(toNew?.text).toContain("Olga Owner lädt Sie zu Flugschule Egelsbach ein, als Fluglehrer, Technik.");
    expect(toNew?.text).toContain("bis 21. Juni 2026, 09:00 Uhr UTC");
    expect(toAda?.subject).toBe("You are invited to a flight school's records");
  });
});
