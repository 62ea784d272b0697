import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";

const inside = (html: string, tag: "script" | "style") =>
  [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))].map(([, text]) => text ?? "");

const hashed = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe("GET /auth/link", () => {
  test("is public, not cached, and sends no referrer", async () => {
    const { call } = await newInstallation();
    const { headers } = expectStatus(200, await call("GET", "/auth/link"));
    expect(headers.get("content-type")).toBe("text/html;charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("allows only its own script, by hash, and requests to this server only", async () => {
    const { call } = await newInstallation();
    const { text, headers } = expectStatus(200, await call("GET", "/auth/link"));
    const [script = "", ...moreScripts] = inside(text, "script");
    const [style = "", ...moreStyles] = inside(text, "style");
    expect([moreScripts, moreStyles]).toEqual([[], []]);
    expect(script.length).toBeGreaterThan(1000);
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      `script-src ${hashed(script)}`,
      `style-src ${hashed(style)}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    // No external resources, and no handler or style that the policy would block.
    expect(text).not.toMatch(/https?:|\b(src|href|on[a-z]+|style)=/);
  });

  test("is in the language of the browser", async () => {
    const { call } = await newInstallation();
    const { text, headers } = await call("GET", "/auth/link", { headers: { "accept-language": "de-AT,de;q=0.9" } });
    expect(headers.get("vary")).toContain("accept-language");
    for (const words of ['<html lang="de">', "Ihr Name", "Neues Passwort", "Passwort anzeigen", "Weiter"])
      expect(text).toContain(words);
    expect(text).not.toContain("Your name");
  });

  test("has a label for each field", async () => {
    const { call } = await newInstallation();
    const { text } = await call("GET", "/auth/link");
    expect(text).toContain('<html lang="en">');
    for (const id of ["email", "name", "password", "code"]) {
      expect(text).toContain(`<label for="${id}">`);
      expect(text).toContain(`<input id="${id}"`);
    }
    expect(text).toContain('role="alert"');
    expect(text).toContain("<noscript>");
  });

  test("hides a password until the user shows it, and permits password managers and pasting", async () => {
    const { call } = await newInstallation();
    const { text } = await call("GET", "/auth/link");
    const fields = [...text.matchAll(/<input [^>]*id="password"[^>]*>/g)].map(([tag]) => tag);
    expect(fields).toHaveLength(1);
    expect(fields[0]).toContain('type="password" autocomplete="new-password"');
    expect(fields[0]).not.toMatch(/maxlength|readonly|disabled/);
    // Only the checkbox shows the password, and no listener observes the fields.
    const [script = ""] = inside(text, "script");
    expect(script.match(/password\.type = .*/g)).toEqual(['password.type = show.checked ? "text" : "password";']);
    const heard = [...script.matchAll(/addEventListener\("(\w+)"/g)].map(([, event]) => event);
    expect(heard.sort()).toEqual(["change", "click", "hashchange", "submit"]);
  });

  test("calls existing routes", async () => {
    const { call, app } = await newInstallation();
    const [script = ""] = inside((await call("GET", "/auth/link")).text, "script");
    const asked = [...script.matchAll(/"(\/auth\/[a-z/-]+)"/g)].map(([, path]) =>
      (path ?? "").replace(/\/$/, "/:token"),
    );
    expect(asked.length).toBeGreaterThanOrEqual(10);
    const paths = app.routes.map(({ path }) => path);
    expect(asked.filter((path) => !paths.includes(path))).toEqual([]);
  });
});
