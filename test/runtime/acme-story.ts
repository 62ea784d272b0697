/** A first start with `WINDSOCK_TLS=auto`, on any runtime. */
import { expect } from "bun:test";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { overHttps } from "../support/over-https.ts";
import { freePort, type Pebble } from "../support/pebble.ts";
import { startServer, stop } from "./processes.ts";
import type { Runtime } from "./runtimes.ts";

export const domain = "ops.example.com";

export async function acmeVariables({ directory, ca, httpPort }: Pebble) {
  const port = await freePort();
  const env = {
    WINDSOCK_TLS: "auto",
    WINDSOCK_HOST: "127.0.0.1",
    WINDSOCK_PORT: String(port),
    WINDSOCK_HTTP_PORT: String(httpPort),
    WINDSOCK_PUBLIC_URL: `https://${domain}`,
    WINDSOCK_ACME_DIRECTORY: directory,
    WINDSOCK_ACME_CA: ca,
    WINDSOCK_METRICS: "1",
  };
  return { port, env };
}

export async function playAFirstStart(pebble: Pebble, dataDir: string, runtime?: Runtime): Promise<void> {
  const { port, env } = await acmeVariables(pebble);
  const server = await startServer({ ...env, WINDSOCK_DATA_DIR: dataDir }, runtime);
  await server.shows("stdout", /There is no certificate yet/);
  await server.shows("stdout", /HTTPS uses a new certificate/);
  await server.shows("stderr", /Windsock will serve at https:\/\/ops\.example\.com as soon as it has a certificate/);
  const ask = async (path: string, host?: string) =>
    overHttps({ port, servername: domain, ca: await pebble.root(), path, ...(host !== undefined && { host }) });

  const health = await ask("/health");
  expect([health.status, health.body, health.protocol, health.certificate.subjectAltName]).toEqual([
    200,
    "ok",
    "TLSv1.3",
    `DNS:${domain}`,
  ]);
  expect(health.headers["strict-transport-security"]).toBe("max-age=31536000");
  const { until } =
    /windsock_certificate_expiry_timestamp_seconds (?<until>\d+)/.exec((await ask("/metrics", "localhost")).body)
      ?.groups ?? {};
  expect(Number(until) * 1000).toBe(Date.parse(health.certificate.validTo));

  const plain = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${pebble.httpPort}${path}`, { redirect: "manual", ...init });
  expect(await (await plain("/health")).text()).toBe("ok");
  for (const method of ["GET", "POST"]) {
    const redirect = await plain("/app/?next=1", { method });
    expect([redirect.status, redirect.headers.get("location")]).toEqual([308, `https://${domain}/app/?next=1`]);
  }
  expect((await plain("/.well-known/acme-challenge/short")).status).toBe(404);

  const folder = join(dataDir, "tls");
  const names = (await readdir(folder)).sort();
  expect(names).toEqual(["account.pem", "certificate.pem", "renewal.json"]);
  const modes = await Promise.all([".", ...names].map(async (name) => (await stat(join(folder, name))).mode & 0o777));
  expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  expect((await stop(server)).code).toBe(0);
}
