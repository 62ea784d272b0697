import { describe, expect, test } from "bun:test";
import { yieldToEventLoop } from "../../../src/core/async.ts";
import { hours } from "../../../src/core/clock.ts";
import { type Answer, type Installation, newInstallation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { expectStatus, times } from "../../support/school.ts";
import { actions, change, controlAudit, freshAddress, signUpAlone, stored } from "./newcomers.ts";

const forgot = (at: Installation, email: string, from = freshAddress()) =>
  at.call("POST", "/auth/password/forgot", { body: { email }, from });

/** What a response tells, without what each has of its own. */
const told = ({ status, body, headers }: Answer) => ({
  status,
  body: { ...body, error: { ...body.error, request_id: "" } },
  headers: [...headers].filter(([name]) => name !== "x-request-id" && name !== "date"),
});

describe("POST /auth/password/forgot", () => {
  test("mails a link to the address of the account", async () => {
    const at = await newInstallation({ env: { WINDSOCK_PUBLIC_URL: "https://ops.example.com" } });
    await signUpAlone(at);
    expect(expectStatus(200, await forgot(at, " ADA@example.com ")).body).toEqual({ status: "accepted" });
    const [, mail] = at.mails;
    expect(mail).toMatchObject({ to: "ada@example.com", subject: "Choose a new password" });
    const token = tokenIn(at.mails, "ada@example.com", "reset");
    expect(mail?.text).toContain(`https://ops.example.com/app/link#reset=${token}\n`);
    expect(token).toHaveLength(43);
  });

  test("links to the front end's page if the operator configures one", async () => {
    const at = await newInstallation({ env: { WINDSOCK_LINK_URL: "https://console.example.com/link" } });
    await signUpAlone(at);
    await forgot(at, "ada@example.com");
    expect(at.mails.at(-1)?.text).toContain("https://console.example.com/link#reset=");
  });

  test("gives the same response, with the same work, for an address without an account", async () => {
    const at = await newInstallation();
    await signUpAlone(at);
    const before = (await actions(at)).length;
    const known = told(await forgot(at, "ada@example.com"));
    const unknown = told(await forgot(at, "nobody@example.com"));
    expect(unknown).toEqual(known);
    expect((await actions(at)).slice(before)).toEqual(["password.reset_requested", "password.reset_requested"]);
    expect(at.mails.filter(({ to }) => to === "nobody@example.com")).toEqual([]);
  });

  test("responds before it looks for the account, so that the time does not tell", async () => {
    const at = await newInstallation();
    await signUpAlone(at);
    const { control } = at.storage;
    const { write } = control;
    let isAsked = false;
    Object.assign(control, {
      write: (body: never) => {
        isAsked = true;
        return write.call(control, body);
      },
    });
    const request = new Request("http://localhost/auth/password/forgot", {
      method: "POST",
      headers: { host: "localhost", "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com" }),
    });
    expect((await at.app.handle(request)).status).toBe(200);
    expect(isAsked).toBe(false);
    await yieldToEventLoop();
    expect(isAsked).toBe(true);
  });

  test("sends no mail if the account is disabled or mail is not configured, with the same response", async () => {
    const at = await newInstallation();
    await signUpAlone(at);
    await change(at, "ada@example.com", { disabled_at: (await stored(at, "ada@example.com")).created_at });
    expectStatus(200, await forgot(at, "ada@example.com"));
    expect(at.mails).toHaveLength(1);

    const silent = await newInstallation({ mail: false });
    await signUpAlone(silent);
    expectStatus(200, await forgot(silent, "ada@example.com"));
    expect(silent.mails).toEqual([]);
  });

  test("is limited to 3 an hour for an e-mail address, whether or not it has an account", async () => {
    const at = await newInstallation();
    await signUpAlone(at);
    const ask = async (email: string) => {
      for (const _ of times(3, () => 0)) expectStatus(200, await forgot(at, email));
      return told(await forgot(at, email));
    };
    const [known, unknown] = [await ask("ada@example.com"), await ask("nobody@example.com")];
    expect(known.status).toBe(429);
    expect(unknown).toEqual(known);
    expect(known.headers).toContainEqual([
      "ratelimit-policy",
      '"password-forgot-address";q=10;w=3600, "password-forgot";q=3;w=3600',
    ]);
    at.clock.advance(hours(1));
    expectStatus(200, await forgot(at, "ada@example.com"));
  });

  test("is limited to 10 an hour for a client address", async () => {
    const at = await newInstallation();
    const from = freshAddress();
    for (const n of times(10, (index) => index)) expectStatus(200, await forgot(at, `a${n}@example.com`, from));
    const refused = expectStatus(429, await forgot(at, "a10@example.com", from));
    expect(refused.headers.get("ratelimit-policy")).toContain('"password-forgot-address";q=10;w=3600');
    expectStatus(200, await forgot(at, "a10@example.com"));
  });

  test.each([[{}], [{ email: "ada" }], [{ email: "ada@example.com", name: "Ada" }]])("rejects %j", async (body) => {
    const at = await newInstallation();
    expectStatus(400, await at.call("POST", "/auth/password/forgot", { body }));
  });

  test("writes the token and the address to the mail only", async () => {
    const at = await newInstallation();
    await signUpAlone(at);
    await forgot(at, "ada@example.com");
    await forgot(at, "nobody@example.com");
    const token = tokenIn(at.mails, "ada@example.com", "reset");
    const rows = (await controlAudit(at)).filter(({ action }) => action === "password.reset_requested");
    expect(JSON.stringify([rows, at.logged])).not.toContain(token);
    expect(JSON.stringify([rows, at.logged])).not.toContain("@example.com");
  });
});
