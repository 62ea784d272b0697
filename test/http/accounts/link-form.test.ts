/** The script of `/auth/link` in a minimal browser, against a real installation. */
import { expect, test } from "bun:test";
import { isNull } from "drizzle-orm";
import { sessions } from "../../../src/modules/accounts/accounts.tables.ts";
import { linkScript } from "../../../src/modules/accounts/link-page/link-page.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { password } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";
import { freshAddress, invite, isLetIn, logIn, signUp, signUpAlone, stored } from "./newcomers.ts";

type Listener = (event: { preventDefault(): void }) => unknown;

class Element {
  textContent = "";
  value = "";
  type = "";
  href = "";
  autocomplete = "";
  hidden = false;
  checked = false;
  focused = false;
  readonly #attributes = new Map<string, string>();
  readonly #listeners = new Map<string, Listener>();

  setAttribute = (name: string, value: string) => void this.#attributes.set(name, value);
  getAttribute = (name: string) => this.#attributes.get(name) ?? null;
  removeAttribute = (name: string) => void this.#attributes.delete(name);
  addEventListener = (type: string, listener: Listener) => void this.#listeners.set(type, listener);
  dispatch = async (type: string) => void (await this.#listeners.get(type)?.({ preventDefault: () => undefined }));
  focus = () => {
    this.focused = true;
  };
}

interface Init {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
  credentials: "omit" | "same-origin";
}

/** Opens the page. @param cookie the cookie of a front end at this origin */
async function open(at: Installation, hash: string, cookie?: string, lang = "en") {
  const elements = new Map<string, Element>();
  const element = (id: string): Element => {
    const known = elements.get(id) ?? new Element();
    elements.set(id, known);
    return known;
  };
  const from = freshAddress();
  const asked: string[] = [];
  const underWay = new Set<Promise<unknown>>();
  const answer = async (path: string, { method = "GET", body, headers = {}, credentials }: Init) => {
    asked.push(`${method} ${path}`);
    if (path === "/") return { ok: false };
    const kept =
      credentials === "same-origin" && cookie !== undefined ? { cookie, "sec-fetch-site": "same-origin" } : {};
    const came = await at.call(method, path, { ...(body && { body }), headers: { ...headers, ...kept }, from });
    return { ok: came.status < 400, status: came.status, json: async () => came.body };
  };
  const fetch = (path: string, init: Init) => {
    const answered = answer(path, init);
    underWay.add(answered);
    return answered.finally(() => underWay.delete(answered));
  };
  const bar = { replaced: "" };
  const page = {
    document: { title: "", documentElement: { lang }, getElementById: element, querySelector: () => element("label") },
    location: { hash, pathname: "/auth/link", host: "localhost" },
    history: { replaceState: (_: unknown, __: string, replaced: string) => void Object.assign(bar, { replaced }) },
    fetch,
    addEventListener: () => undefined,
  };
  new Function(...Object.keys(page), linkScript)(...Object.values(page));
  do {
    await Promise.allSettled(underWay);
    await new Promise((resolve) => setImmediate(resolve));
  } while (underWay.size > 0);

  return {
    asked,
    bar,
    element,
    text: (id: string) => element(id).textContent,
    /** The visible fields. */
    fields: () =>
      element("form").hidden
        ? undefined
        : ["email", "name", "password", "code"].filter((id) => !element(`${id}-field`).hidden),
    async submit(values: Record<string, string> = {}) {
      for (const [id, value] of Object.entries(values)) element(id).value = value;
      await element("form").dispatch("submit");
    },
  };
}

const openSessions = ({ storage }: Installation) =>
  storage.control.read((reader) => reader.$count(sessions, isNull(sessions.revoked_at)));

async function resetLink(at: Installation) {
  const { email } = await signUpAlone(at);
  await at.call("POST", "/auth/password/forgot", { body: { email } });
  return { email, hash: `#reset=${tokenIn(at.mails, email, "reset")}` };
}

test("a reset asks for a password, sets it, and takes the token out of the address bar", async () => {
  const at = await newInstallation();
  const { email, hash } = await resetLink(at);
  const page = await open(at, hash);
  expect([page.fields(), page.asked]).toEqual([["password"], []]);
  await page.submit({ password: "another horse battery" });
  expect([page.text("heading"), page.bar.replaced]).toEqual(["Your password is set", "/auth/link"]);
  expect([page.fields(), page.element("password").value]).toEqual([undefined, ""]);
  expect((await logIn(at, email, { password: "another horse battery" })).status).toBe(200);

  const again = await open(at, hash);
  await again.submit({ password: "another horse battery" });
  expect(again.text("heading")).toBe("This link is not valid");
  expect(again.text("lead")).toStartWith("The link was already used.");
});

test("in German it says all of it in German, what the server refuses too", async () => {
  const at = await newInstallation();
  const { email, hash } = await resetLink(at);
  const page = await open(at, hash, undefined, "de");
  expect(page.text("heading")).toBe("Neues Passwort wählen");
  await page.submit({ password: "elevenchars" });
  expect(page.text("problem")).toBe("Das Passwort muss mindestens 12 Zeichen haben.");
  await page.submit({ password: email });
  expect(page.text("problem")).toBe("Passwort: darf nicht die E-Mail-Adresse sein.");
  await page.submit({ password: "passwordpassword" });
  expect(page.text("problem")).toBe("Passwort: steht auf der Liste der häufigsten Passwörter.");
  await page.submit({ password: "another horse battery" });
  expect(page.text("heading")).toBe("Ihr Passwort ist gesetzt");
  const again = await open(at, hash, undefined, "de");
  await again.submit({ password: "another horse battery" });
  expect(again.text("lead")).toStartWith("Dieser Link wurde schon verwendet. Fordern Sie ");
});

test("an invalid password is reported at the field, by the page or by the server", async () => {
  const at = await newInstallation();
  const { email, hash } = await resetLink(at);
  const page = await open(at, hash);
  await page.submit({ password: "elevenchars" });
  expect([page.asked, page.text("problem")]).toEqual([[], "The password must have at least 12 characters."]);
  await page.submit({ password: email });
  expect(page.asked).toEqual(["POST /auth/password/reset"]);
  expect(page.text("problem")).toStartWith("Password: ");
  const field = page.element("password");
  expect([field.getAttribute("aria-invalid"), field.focused]).toEqual(["true", true]);
});

test("an address is verified with the password of its account, or with the session of the browser", async () => {
  const at = await newInstallation();
  const ada = await signUpAlone(at);
  const byPassword = await open(at, `#verify=${tokenIn(at.mails, ada.email, "verify")}`);
  expect(byPassword.fields()).toEqual(["password"]);
  await byPassword.submit({ password });
  expect(byPassword.text("heading")).toBe("Your e-mail address is confirmed");
  expect((await stored(at, ada.email)).email_verified_at).not.toBeNull();

  const ben = await signUpAlone(at, "ben@example.com");
  const link = `#verify=${tokenIn(at.mails, ben.email, "verify")}`;
  const bySession = await open(at, link, `svc_refresh=${ben.refreshToken}`);
  expect([bySession.fields(), bySession.text("lead")]).toEqual([[], expect.stringContaining("ben@example.com")]);
  await bySession.submit();
  expect((await stored(at, ben.email)).email_verified_at).not.toBeNull();
});

test("an invite creates an account with a name and a password, and leaves no session open", async () => {
  const at = await newInstallation();
  const olga = await signUp(at);
  const page = await open(at, `#invite=${await invite(at, olga, "ines@example.com", ["student"])}`);
  expect(page.text("heading")).toBe("Join Flugschule Egelsbach");
  expect([page.fields(), page.element("email").value]).toEqual([["email", "name", "password"], "ines@example.com"]);
  await page.submit({ name: "Ines Berg", password });
  expect(page.text("heading")).toBe("Welcome");
  expect(await openSessions(at)).toBe(1);
  expect((await stored(at, "ines@example.com")).name).toBe("Ines Berg");
});

test("an invite to an existing account asks to sign in with its second factor, and signs out again", async () => {
  const at = await newInstallation();
  const olga = await signUp(at);
  const ines = await signUp(at, "ines@example.com");
  const { code } = await enroll(at, ines);
  const page = await open(at, `#invite=${await invite(at, olga, ines.email, ["student"])}`);
  await page.submit({ name: "Ines Berg", password: "a password of hers" });
  expect([page.fields(), page.text("submit")]).toEqual([["email", "password"], "Sign in and join"]);
  await page.submit({ password: "not her password" });
  expect(page.text("problem")).toContain("wrong");
  await page.submit({ password });
  expect([page.fields(), page.element("again").hidden]).toEqual([["code"], false]);
  await page.submit({ code: await code() });
  expect(page.text("heading")).toBe("Welcome");
  expect(await isLetIn(at, { orgId: olga.orgId, token: ines.token })).toBe(true);
  expect(await openSessions(at)).toBe(2);
});

test.each(["", "#reset=", "#other=abc", `#invite=${"A".repeat(43)}`])(
  "the link %p leads nowhere, and says so",
  async (hash) => {
    const page = await open(await newInstallation(), hash);
    expect(page.text("heading")).toMatch(/^This link is (incomplete|not valid)$/);
    expect([page.fields(), page.element("heading").focused]).toEqual([undefined, true]);
  },
);
