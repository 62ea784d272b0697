/** `windsock listen` beside what the README's tour shows. */
import { afterEach, expect, test } from "bun:test";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, toInstant } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import { createSender } from "../../src/events/outbound/sender.ts";
import { deliveryHeaders, envelope } from "../../src/events/signing.ts";
import { newSecret } from "../../src/events/signing-secrets.ts";
import { afterThisTest } from "../support/after-test.ts";
import { endProcesses, newFolder, run, start } from "./processes.ts";
import { denoFromSource, isLinuxX64, type Runtime } from "./runtimes.ts";

afterEach(endProcesses);

/** Starts a receiver in a directory. */
async function listenIn(dir: string, runtime?: Runtime) {
  const receiver = await start(["listen", "--port", "0", "--dir", dir], { ...(runtime && { runtime }) });
  const [, url = ""] = await receiver.shows("stdout", /Listening at (\S+)/);
  return { ...receiver, url };
}

const now = () => toInstant(systemClock.now());
const body = envelope({ type: "webhook.test", id: "evt_1", occurredAt: now(), data: '{"message":"Hello"}' });

/** Sends a delivery. @returns the status of the response */
async function deliver(url: string, dir: string, secret: string) {
  const ca = await readFile(join(dir, "certificate.pem"), "utf8");
  const send = createSender({ policy: addressPolicy(["127.0.0.1/32"]), keepAlive: false, version: "0", ca });
  const deliveryId = newId<"delivery">(systemClock);
  const headers = deliveryHeaders(body, { deliveryId, secrets: { primary: secret }, now: now() });
  const { status } = await send({ url, headers, body });
  send.close();
  return status;
}

test.each<[string, Runtime | undefined]>([
  ["Bun", undefined],
  ...(isLinuxX64 ? [["Deno", denoFromSource] satisfies [string, Runtime]] : []),
])(
  "on %s, it rejects deliveries until their secret is in its file, and then prints them",
  async (_, runtime) => {
    // Deno does not write below /dev, where the tests' other folders may be.
    const dir = await mkdtemp("/tmp/windsock-listen-");
    afterThisTest(() => rm(dir, { recursive: true, force: true }));
    const receiver = await listenIn(dir, runtime);
    const secret = newSecret();

    expect(await deliver(receiver.url, dir, secret)).toBe(401);
    await receiver.shows("stdout", /✗ Rejected with 401: \S+secret has no signing secret yet\./);
    await writeFile(join(dir, "secret"), `${newSecret()}\n${secret}\n`);
    expect(await deliver(receiver.url, dir, secret)).toBe(204);
    await receiver.shows("stdout", /✓ webhook\.test, evt_1: delivery \S+, verified\n\{[\s\S]*"message": "Hello"/);
    expect(await deliver(receiver.url, dir, newSecret())).toBe(401);
    await receiver.shows("stdout", /✗ Rejected with 401: no secret in \S+ made its signatures\./);

    receiver.signal("SIGTERM");
    expect(await receiver.ended).toBe(0);
  },
  300_000,
);

test("its certificate stays the same, and its files are private", async () => {
  const dir = await newFolder();
  await chmod(dir, 0o755);
  const first = await listenIn(dir);
  const created = await readFile(join(dir, "certificate.pem"), "utf8");
  first.signal("SIGTERM");
  await first.ended;
  const second = await listenIn(dir);
  expect(await readFile(join(dir, "certificate.pem"), "utf8")).toBe(created);
  const modes = await Promise.all([dir, join(dir, "key.pem")].map(async (path) => (await stat(path)).mode & 0o777));
  expect(modes).toEqual([0o700, 0o600]);

  const { port } = new URL(second.url);
  const taken = await run(["listen", "--port", port, "--dir", dir]);
  expect(taken).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(port) });
  expect(await run(["listen", "--port", "http"])).toMatchObject({
    code: 1,
    stderr: "--port: Must be a port number.\n",
  });
}, 300_000);
