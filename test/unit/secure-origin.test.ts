import { expect, test } from "bun:test";
import { welcome } from "../../src/cli/welcome.ts";
import { originWarning, withheldAt, withheldFeatures } from "../../src/core/secure-origin.ts";
import { secureUnlessLocal } from "../../src/http/cookies.ts";

test.each([
  "https://ops.example.com",
  "https://192.168.1.5",
  "http://localhost:3000",
  "http://windsock.localhost",
  "http://127.0.0.1:3000",
  "http://127.1.2.3",
  "http://[::1]:3000",
])("browsers withhold nothing from %s", (url) => {
  expect(withheldAt(url)).toEqual([]);
});

test.each(["http://192.168.1.5:3000", "http://school.lan", "http://localhost.example.com", "http://128.0.0.1"])(
  "browsers withhold the cookie and more from %s, and the cookie is `Secure`",
  (url) => {
    expect(withheldAt(url)).toEqual(withheldFeatures);
    expect(secureUnlessLocal(url)).toBe("; Secure");
  },
);

test("the start warns of plain HTTP, and of a server that others reach without a public address", () => {
  const local = "http://127.0.0.1:3000";
  expect(originWarning({ publicUrl: "http://school.lan", host: "0.0.0.0" })).toContain(
    "Browsers take http://school.lan",
  );
  expect(originWarning({ publicUrl: local, host: "0.0.0.0" })).toContain(`its public address is ${local}`);
  expect(originWarning({ publicUrl: local, host: "::" })).toContain("on other computers");
  for (const host of ["127.0.0.1", "localhost", "::1"])
    expect(originWarning({ publicUrl: local, host })).toBeUndefined();
  expect(originWarning({ publicUrl: "https://ops.example.com", host: "0.0.0.0" })).toBeUndefined();
});

test("the first lines of a start have the warning and what to do", async () => {
  const at = { url: "http://127.0.0.1:3000", isEmpty: async () => false };
  const shown = (publicUrl: string) =>
    welcome(at, { dataDir: "data", host: "0.0.0.0", publicUrl, disabled: new Set() });
  expect(await shown("http://school.lan")).toContain("set WINDSOCK_PUBLIC_URL to that https:// address");
  expect(await shown("https://ops.example.com")).not.toContain("HTTPS");
});
