import { afterEach, beforeEach, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import { createSender } from "../../src/events/outbound/sender.ts";
import { type Delivery, startReceiver } from "../../src/modules/demo/receiver.ts";

const root = join(import.meta.dir, "../..");

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "windsock-demo-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** The demo as a process of its own. */
function startDemo() {
  const env = { ...process.env, WINDSOCK_PORT: "0", WINDSOCK_DATA_DIR: directory };
  const demo = spawn(process.execPath, ["src/main.ts", "--demo"], { cwd: root, env });
  const closed = once(demo, "close");
  let output = "";
  let look = () => {};
  for (const stream of [demo.stdout, demo.stderr])
    stream.on("data", (text) => {
      output += text;
      look();
    });
  return {
    /** Waits until it has printed this. */
    async printed(wanted: RegExp): Promise<string> {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      look = () => wanted.test(output) && resolve(output);
      look();
      void closed.then(() => reject(new Error(`It ended without ${wanted}: ${output}`)));
      return promise;
    },
    kill: () => demo.kill("SIGTERM"),
    /** Waits until it ends. @returns its exit code, and all that it printed */
    async ended(): Promise<{ code: number; output: string }> {
      const [code] = await closed;
      return { code, output };
    },
  };
}

test("the demo tells a true story, serves, and ends when it is asked to", async () => {
  const demo = startDemo();
  try {
    const story = await demo.printed(/Stop with Ctrl-C/);
    const found = (pattern: RegExp): string => pattern.exec(story)?.[1] ?? `(no ${pattern})`;
    expect(story).toContain("✓ approved    by Ines Berg: the Hobbs meter moved from 1234.50 to 1235.50");
    expect(story).toMatch(/✓ verified {4}X-SVC-Webhook-Signature: sha256=[0-9a-f]{64}\n/);
    expect(story.split("\n").length).toBeLessThan(25);
    expect(story).not.toMatch(/undefined|NaN|\[object|whsec_/);

    const url = found(/(http:\S+)\/docs/);
    const [key, org] = [found(/KEY=(\S+)/), found(/ORG=(\S+)/)];
    const ask = async (method: string, path: string) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "x-org-id": org },
      });
      return { status: response.status, body: (await response.json()) as { data: { status: string }[] } };
    };
    const { status, body } = await ask("GET", "/api/v1/public/flights");
    expect([status, body.data.map((flight) => flight.status).sort()]).toEqual([
      200,
      ["approved", "approved", "approved", "approved", "draft", "submitted"],
    ]);

    // The password is that of everybody who is named.
    const emails = story.match(/\S+@windyhill\.example/g) ?? [];
    expect(emails).toHaveLength(3);
    for (const email of emails) {
      const login = JSON.stringify({ email, password: found(/password (\S+)/) });
      const headers = { "content-type": "application/json" };
      expect((await fetch(`${url}/auth/login`, { method: "POST", headers, body: login })).status).toBe(200);
    }

    const event = found(/events\/(evt_\w+)\/replay/);
    expect((await ask("POST", `/api/v1/public/events/${event}/replay`)).status).toBe(201);
    expect(await demo.printed(/delivery \S+, verified\n/)).toContain(`✓ flight.approved, ${event}: delivery`);
  } finally {
    demo.kill();
  }
  expect((await demo.ended()).code).toBe(0);

  const before = (await readdir(directory)).sort();
  const again = await startDemo().ended();
  expect(again.code).toBe(1);
  expect(again.output).toContain(`The demo wants an empty data directory, and ${directory} is not`);
  expect((await readdir(directory)).sort()).toEqual(before);
}, 60_000);

test("the demo touches no directory that holds anything but a README", async () => {
  await writeFile(join(directory, "README.md"), "# tenants");
  await writeFile(join(directory, "somebody's.txt"), "notes");
  expect(await startDemo().ended()).toMatchObject({ code: 1 });
  expect((await readdir(directory)).sort()).toEqual(["README.md", "somebody's.txt"]);
}, 30_000);

test("the demo's receiver takes only what is signed with its secret, and only over its own certificate", async () => {
  const receiver = await startReceiver();
  const delivered: Delivery[] = [];
  receiver.onDelivery((delivery) => delivered.push(delivery));
  const options = { policy: addressPolicy(["127.0.0.1/32"]), keepAlive: false, version: "0" };
  const send = createSender({ ...options, ca: receiver.certificate });
  const body = JSON.stringify({
    event: { type: "webhook.test", id: "evt_1", occurred_at: new Date().toISOString(), data: {} },
  });
  const signed = (secret: string, text = body) => ({
    url: receiver.url,
    headers: {
      "X-SVC-Webhook-Delivery": "d1",
      "X-SVC-Webhook-Signature": `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`,
    },
    body,
  });
  try {
    expect(await send(signed("secret"))).toMatchObject({ status: 401 });
    receiver.verifyWith("secret");
    expect(await send(signed("secret"))).toMatchObject({ status: 204, errorClass: null });
    expect(await send(signed("another secret"))).toMatchObject({ status: 401 });
    expect(await send(signed("secret", `${body} `))).toMatchObject({ status: 401 });
    expect(await send({ ...signed("secret"), headers: {} })).toMatchObject({ status: 401 });
    expect(delivered.map(({ id, event }) => [id, event.type])).toEqual([["d1", "webhook.test"]]);

    const trusting = createSender(options);
    expect(await trusting(signed("secret"))).toMatchObject({ status: null, errorClass: "tls" });
    trusting.close();
  } finally {
    send.close();
    receiver.close();
  }
});
