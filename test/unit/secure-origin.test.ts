import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { welcome } from "../../src/cli/welcome.ts";
import type { Feature } from "../../src/config.ts";
import { originWarning, withheldAt, withheldFeatures } from "../../src/core/secure-origin.ts";
import { selfSigned } from "../../src/demo/certificate.ts";
import { secureUnlessLocal } from "../../src/http/cookies.ts";
import { afterThisTest } from "../support/after-test.ts";

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
  const config = { dataDir: "data", disabled: new Set<Feature>(), tls: undefined, signUp: "open" } as const;
  const shown = (publicUrl: string) => welcome(at, config, { warning: originWarning({ publicUrl, host: "0.0.0.0" }) });
  expect(await shown("http://school.lan")).toContain("set WINDSOCK_PUBLIC_URL to that https:// address");
  expect(await shown("https://ops.example.com")).not.toContain("HTTPS");
  const empty = { ...at, isEmpty: async () => true };
  expect(await welcome(empty, config, { warning: undefined })).toContain("/auth/signup-org");
  const closed = await welcome(empty, { ...config, signUp: "closed" }, { warning: undefined });
  expect([closed.includes("/auth/signup-org"), closed.includes("windsock org create")]).toEqual([false, true]);
});

test("the first lines of a start do not say that HTTPS is served while there is no certificate", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "windsock-welcome-"));
  afterThisTest(() => rm(dataDir, { recursive: true }));
  const at = { url: "https://ops.example.com", isEmpty: async () => false };
  const acme = { kind: "acme", domain: "ops.example.com", directory: "https://ca.example.com", httpPort: 80 } as const;
  const config = { dataDir, disabled: new Set<Feature>(), signUp: "open" } as const;
  const shown = () =>
    welcome(at, { ...config, tls: { ...acme, email: undefined, ca: undefined } }, { warning: undefined });
  expect(await shown()).toContain("Windsock will serve at https://ops.example.com as soon as it has a certificate");
  const { cert, key } = selfSigned(new Date());
  await mkdir(join(dataDir, "tls"));
  await writeFile(join(dataDir, "tls", "certificate.pem"), `${cert}\n${key}\n`);
  expect(await shown()).toContain("Windsock is serving at https://ops.example.com\n");
});
