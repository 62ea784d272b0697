import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { days } from "../../src/core/clock.ts";
import { selfSigned } from "../../src/demo/certificate.ts";
import { examineCertificate } from "../../src/modules/operations/doctor/examine-certificate.ts";
import type { TlsSettings } from "../../src/tls/settings.ts";
import { afterThisTest } from "../support/after-test.ts";
import { TestClock } from "../support/clock.ts";

async function newFiles() {
  const dataDir = await mkdtemp(join(tmpdir(), "windsock-certificate-"));
  afterThisTest(() => rm(dataDir, { recursive: true }));
  const clock = new TestClock();
  const { cert, key } = selfSigned(clock.now());
  const at = (name: string) => join(dataDir, name);
  await writeFile(at("chain.pem"), cert);
  await writeFile(at("key.pem"), key);
  const tls: TlsSettings = { kind: "files", cert: at("chain.pem"), key: at("key.pem"), httpPort: undefined };
  const examined = (publicUrl = "https://127.0.0.1") => examineCertificate({ tls, dataDir, publicUrl }, clock);
  const until = new Date(new X509Certificate(cert).validTo);
  return { dataDir, clock, at, examined, until };
}

test("the certificate in files is found fine, near its end, expired, for another name, or not to be used", async () => {
  const { clock, at, examined, until } = await newFiles();
  expect(await examined()).toMatchObject([
    { level: "fine", message: expect.stringContaining("Windsock test receiver") },
  ]);
  expect(await examined("https://ops.example.com")).toMatchObject([
    { level: "error", message: "The certificate is not for ops.example.com." },
  ]);
  // With a sixth of the year left, sixty days, a renewal is late.
  clock.advance(days(300));
  expect(await examined()).toMatchObject([{ level: "fine" }]);
  clock.advance(days(10));
  expect(await examined()).toMatchObject([{ level: "warning", remedy: expect.stringContaining("renews the files") }]);
  // Its last moment belongs to it (RFC 5280).
  clock.set(until.toISOString());
  expect(await examined()).toMatchObject([{ level: "warning" }]);
  clock.advance(1);
  expect(await examined()).toMatchObject([{ level: "error", message: expect.stringContaining("has expired") }]);
  await writeFile(at("key.pem"), selfSigned(clock.now()).key);
  expect(await examined()).toMatchObject([{ level: "error", message: expect.stringContaining("is not that of") }]);
});

test("a missing certificate is found with what the authority said, and without TLS there is nothing to find", async () => {
  const { dataDir, clock } = await newFiles();
  const tls: TlsSettings = {
    ...{ kind: "acme", domain: "ops.example.com", directory: "https://ca.example.com", httpPort: 80 },
    ...{ email: undefined, ca: undefined },
  };
  const examined = () => examineCertificate({ tls, dataDir, publicUrl: "https://ops.example.com" }, clock);
  expect(await examined()).toMatchObject([{ level: "error", message: expect.stringContaining("no certificate") }]);
  await mkdir(join(dataDir, "tls"));
  const state = {
    directory: null,
    failures: 1,
    retry_at: "2026-06-01T00:01:00.000Z",
    problem: "No such name.",
    order: null,
  };
  await writeFile(join(dataDir, "tls", "renewal.json"), JSON.stringify(state));
  expect(await examined()).toMatchObject([
    { remedy: expect.stringMatching(/No such name\..*2026-06-01T00:01.*windsock jobs run certificate/) },
  ]);
  expect(await examineCertificate({ tls: undefined, dataDir, publicUrl: "https://ops.example.com" }, clock)).toEqual(
    [],
  );
});
