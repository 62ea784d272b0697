/** Certificates from a real authority of tests. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent } from "node:https";
import { join } from "node:path";
import { certificateAuthorities } from "../../src/core/certificate-authorities.ts";
import { hours, minutes } from "../../src/core/clock.ts";
import { createLog } from "../../src/http/request-log.ts";
import { serveHttps } from "../../src/serve-https.ts";
import { readCertificate } from "../../src/tls/certificate.ts";
import { createRenewal, renewalOf } from "../../src/tls/renewal.ts";
import { type AcmeTls, certificatePaths } from "../../src/tls/settings.ts";
import { afterThisTest } from "../support/after-test.ts";
import { overHttps } from "../support/over-https.ts";
import { freePort, hasPebble, type Pebble, startPebble } from "../support/pebble.ts";
import { acmeVariables, domain, playAFirstStart } from "./acme-story.ts";
import { endProcesses, run, startServer, stop } from "./processes.ts";
import { denoFromSource, isLinuxX64 } from "./runtimes.ts";

afterEach(endProcesses);

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp("/tmp/windsock-acme-");
  afterThisTest(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const after = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);
const now = new Date();

describe.skipIf(!hasPebble)("with Pebble", () => {
  let pebble: Pebble;
  beforeAll(async () => {
    pebble = await startPebble({ PEBBLE_AUTHZREUSE: "0" });
  });
  afterAll(() => pebble[Symbol.asyncDispose]());

  /** HTTPS and the renewal in this process. The time is that of the call. */
  async function newSite(settings: Partial<AcmeTls> = {}, dataDir?: string) {
    const directory = dataDir ?? (await newDirectory());
    const { ca, httpPort } = pebble;
    const tls: AcmeTls = {
      ...{ kind: "acme", domain, directory: pebble.directory, email: "ops@example.com", ca, httpPort },
      ...settings,
    };
    const log = createLog("silent");
    const site = await serveHttps({
      config: { host: "127.0.0.1", port: await freePort(), dataDir: directory, publicUrl: `https://${domain}` },
      ...{ tls, log, maxBody: 1024, every: 20 },
      fetch: () => new Response("served"),
    });
    afterThisTest(() => site.stop(1000));
    const said: string[] = [];
    const { renew } = createRenewal({
      ...{
        tls,
        dataDir: directory,
        log: { warn: (_, message) => said.push(message), error: (_, message) => said.push(message) },
        stopping: new AbortController().signal,
      },
      ca: await certificateAuthorities("WINDSOCK_ACME_CA", ca),
      isServing: () => true,
    });
    const root = await pebble.root();
    return {
      dataDir: directory,
      said,
      renew,
      state: async () => JSON.parse(await readFile(join(directory, "tls", "renewal.json"), "utf8")),
      certificate: () => readCertificate(certificatePaths(tls, directory)),
      plain: (path: string) => fetch(`http://127.0.0.1:${tls.httpPort}${path}`, { redirect: "manual" }),
      get: (agent: Agent | false = false) => overHttps({ port: site.port, servername: domain, ca: root, agent }),
      async serves({ cert }: { cert: string }) {
        for (;;) {
          const got = await this.get().catch(() => undefined);
          if (got && cert.startsWith(got.certificate.toString().trim())) return;
          await Bun.sleep(10);
        }
      },
    };
  }

  test("a first start obtains a certificate, then serves HTTPS, redirects to it, and says until when it is valid", async () => {
    await playAFirstStart(pebble, await newDirectory());
  }, 60_000);

  test.skipIf(!isLinuxX64)(
    "so it does on Deno",
    async () => {
      await playAFirstStart(pebble, await newDirectory(), denoFromSource);
    },
    60_000,
  );

  test("a certificate is renewed when a third of its lifetime is left, without a failed request, and a standby has it, too", async () => {
    const site = await newSite();
    const standby = await newSite({ httpPort: await freePort() }, site.dataDir);
    expect(await site.renew(now, false)).toMatchObject({
      summary: expect.stringContaining(`Obtained a certificate for ${domain}`),
    });
    const first = await site.certificate();
    await Promise.all([site.serves(first), standby.serves(first)]);
    const challenge = "/.well-known/acme-challenge/cR5n0zUWm4v8tZq1";
    expect(await (await standby.plain(challenge)).text()).toBe(await (await site.plain(challenge)).text());

    const due = renewalOf(first);
    expect(await site.renew(after(due, -minutes(1)), false)).toBe("nothing_due");
    const failures: string[] = [];
    let isOver = false;
    const client = async (agent: Agent | false) => {
      while (!isOver) await site.get(agent).catch((error: Error) => failures.push(error.message));
    };
    const load = [client(false), client(new Agent({ keepAlive: true, maxSockets: 1 }))];
    expect(await site.renew(due, false)).toEqual({ summary: expect.stringContaining("Obtained") });
    const second = await site.certificate();
    expect(second.cert).not.toBe(first.cert);
    await Promise.all([site.serves(second), standby.serves(second)]);
    isOver = true;
    await Promise.all(load);
    expect(failures).toEqual([]);
    // Another authority: the certificate of a trial is replaced.
    const other = await newSite(
      { directory: pebble.directory.replace("127.0.0.1", "localhost"), httpPort: await freePort() },
      site.dataDir,
    );
    expect(await other.renew(now, false)).toMatchObject({ failed: true });
  }, 30_000);

  test("an authority that does not answer is asked less often each time, and at once if the operator asks", async () => {
    const site = await newSite({ directory: `https://127.0.0.1:${await freePort()}/dir` });
    const waits: number[] = [];
    let at = now;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      expect(await site.renew(at, false)).toMatchObject({ failed: true });
      const { retry_at, problem } = await site.state();
      expect(problem).toContain("ECONNREFUSED");
      waits.push((Date.parse(retry_at) - at.getTime()) / minutes(1));
      expect(await site.renew(after(new Date(retry_at), -1000), false)).toBe("waiting");
      at = new Date(retry_at);
    }
    expect(waits).toEqual([1, 5, 30, 120, 360, 360]);
    expect(site.said[0]).toStartWith("The authority can't be used: ");
    // The clock was ahead.
    expect(await site.renew(after(now, -hours(48)), false)).toMatchObject({ failed: true });
    expect(await site.renew(after(now, -hours(48)), true)).toMatchObject({ failed: true });
    const waiting = await site.plain("/app/");
    expect([waiting.status, waiting.headers.get("retry-after"), await waiting.text()]).toEqual([
      503,
      "60",
      expect.stringContaining("no certificate for HTTPS yet"),
    ]);
  });

  test("a rejected proof is said in the authority's words, and the next attempt makes another order", async () => {
    const wrong = await newSite({ httpPort: await freePort() });
    expect(await wrong.renew(now, false)).toMatchObject({ failed: true });
    expect(await wrong.state()).toMatchObject({
      failures: 1,
      problem: expect.stringMatching(/acme:error:connection/),
      order: null,
    });
    expect(wrong.said).toEqual([
      expect.stringMatching(/^The authority issued no certificate: .* on port 80\. It is asked again at /),
    ]);
    const right = await newSite({}, wrong.dataDir);
    expect(await right.renew(now, true)).toMatchObject({ summary: expect.stringContaining("Obtained") });
    expect(await right.state()).toMatchObject({ failures: 0, problem: null, retry_at: null, order: null });
  }, 30_000);

  test("a server that is killed between order and certificate continues with the same order", async () => {
    const WINDSOCK_DATA_DIR = await newDirectory();
    const { env } = await acmeVariables(pebble);
    const variables = { ...env, WINDSOCK_DATA_DIR };
    const folder = join(WINDSOCK_DATA_DIR, "tls");
    const placed = async () =>
      JSON.parse(await readFile(join(folder, "renewal.json"), "utf8").catch(() => "{}")).order as
        | { key: string }
        | undefined;
    const killed = await startServer(variables);
    let order: { key: string } | null | undefined;
    while (!order) {
      await Bun.sleep(2);
      order = await placed();
    }
    await killed[Symbol.asyncDispose]();
    expect(await readFile(join(folder, "certificate.pem"), "utf8").catch(() => "none")).toBe("none");

    // It may be killed each time, so the attempt counts.
    const { failures, retry_at } = JSON.parse(await readFile(join(folder, "renewal.json"), "utf8"));
    expect([failures, Date.parse(retry_at) > now.getTime() + minutes(1)]).toEqual([1, true]);
    const next = await startServer(variables);
    await next.shows("stderr", /will serve at/);
    expect((await placed())?.key).toBe(order.key);
    const { stdout } = await run(["jobs", "run", "certificate"], { env: variables });
    expect(stdout).toContain("certificate: succeeded. Obtained a certificate");
    expect(await readFile(join(folder, "certificate.pem"), "utf8")).toContain(order.key);
    expect((await stop(next)).code).toBe(0);
  }, 60_000);
});
