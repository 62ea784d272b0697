import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";

const inside = (html: string, tag: "script" | "style") =>
  [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))].map(([, text]) => text ?? "");

const hashed = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe("GET /auth/link", () => {
  test("is a page for anybody that is kept nowhere and tells nobody where it was", async () => {
    const { call } = await newInstallation();
    const { headers } = expectStatus(200, await call("GET", "/auth/link"));
    expect(headers.get("content-type")).toBe("text/html;charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("runs its own script and nothing else, by hash, and asks nobody but this server", async () => {
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
    // Nothing from elsewhere, and no handler or style that the policy would stop.
    expect(text).not.toMatch(/https?:|\b(src|href|on[a-z]+|style)=/);
  });

  test("names each field for those who can't see it", async () => {
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

  test("hides a password until told not to, and keeps neither managers of passwords nor pasting out", async () => {
    const { call } = await newInstallation();
    const { text } = await call("GET", "/auth/link");
    const fields = [...text.matchAll(/<input [^>]*id="password"[^>]*>/g)].map(([tag]) => tag);
    expect(fields).toHaveLength(1);
    expect(fields[0]).toContain('type="password" autocomplete="new-password"');
    expect(fields[0]).not.toMatch(/maxlength|readonly|disabled/);
    // It shows the password for its own checkbox alone, and listens to nothing that goes into a field.
    const [script = ""] = inside(text, "script");
    expect(script.match(/password\.type = .*/g)).toEqual(['password.type = show.checked ? "text" : "password";']);
    const heard = [...script.matchAll(/addEventListener\("(\w+)"/g)].map(([, event]) => event);
    expect(heard.sort()).toEqual(["change", "click", "hashchange", "submit"]);
  });

  test("asks the routes there are", async () => {
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
