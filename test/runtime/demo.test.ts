import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { minutes, shift, systemClock, toInstant } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { selfSigned } from "../../src/demo/certificate.ts";
import { type Delivery, startReceiver } from "../../src/demo/receiver.ts";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import { createSender } from "../../src/events/outbound/sender.ts";
import { deliveryHeaders } from "../../src/events/signing.ts";
import { newSecret } from "../../src/events/signing-secrets.ts";
import { fileIn, unfinished } from "./files.ts";
import { endProcesses, newFolder, run, start } from "./processes.ts";

afterEach(endProcesses);

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});

interface Aircraft {
  registration: string;
}
interface Due {
  aircraft: Aircraft;
  next: { remaining_hours: string };
}
interface Invoice {
  number: string;
  status: string;
  issued_on: string;
}
interface Progress {
  items: { done: number };
}
const counted = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(names, (name) => name)).map(([name, all = []]) => [name, all.length]),
  );

interface Counted {
  type: string;
}

/** The demo as a process with one terminal. */
async function startDemo(env: Record<string, string> = {}) {
  const demo = await start(["--demo"], { env: { WINDSOCK_DATA_DIR: directory, ...env } });
  const output = () => demo.stdout() + demo.stderr();
  return {
    ...demo,
    /** Waits until it has printed this. @returns its output until then */
    printed: async (wanted: RegExp) => {
      await demo.shows("stderr", wanted);
      return output();
    },
    /** Waits until it ends. @returns its exit code and its output */
    over: async () => ({ code: await demo.ended, output: output() }),
  };
}

test("the demo prints correct facts, serves, and ends on a signal", async () => {
  const demo = await startDemo();
  const story = await demo.printed(/Stop with Ctrl-C/);
  const found = (pattern: RegExp): string => pattern.exec(story)?.[1] ?? `(no ${pattern})`;
  const [, first, second] = story.split("\n\n").map((part) => part.trim());
  expect(first).toMatch(/^Console {7}http:\/\/127\.0\.0\.1:\d+\/\n {2}Sign in {7}olga@windyhill\.example \(owner\)/);
  expect(second).toBe("Windy Hill Flight School: 20 people, 5 aircraft, 300 flights and 396 bookings of aircraft");
  const moved = /✓ approved {4}by Ines Berg: the Hobbs meter moved from (\S+) to (\S+)/.exec(story);
  expect(Number(moved?.[2]) - Number(moved?.[1])).toBeCloseTo(1);
  expect(story).toMatch(/✓ verified {4}X-SVC-Webhook-Signature: sha256=[0-9a-f]{64}\n/);
  expect(story.split("\n").length).toBeLessThan(34);
  expect(story).not.toMatch(/undefined|NaN|\[object|whsec_/);

  const url = found(/(http:\S+)\/docs/);
  const [key, org] = [found(/KEY=(\S+)/), found(/ORG=(\S+)/)];
  const ask = async (method: string, path: string) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "x-org-id": org },
    });
    return {
      status: response.status,
      // biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes
      body: (await response.json()) as { data: any },
    };
  };
  const { status, body } = await ask("GET", "/api/v1/public/flights?limit=500");
  const statuses: string[] = body.data.map((flight: { status: string }) => flight.status);
  expect([status, counted(statuses)]).toEqual([200, { approved: 379, submitted: 5, rejected: 1, reversed: 1 }]);
  const fleet: Aircraft[] = (await ask("GET", "/api/v1/public/fleet")).body.data;
  const named = (registration: string) => fleet.find((aircraft) => aircraft.registration === registration);
  expect(fleet).toHaveLength(5);
  expect(named("D-EFGH")).toMatchObject({ status: "grounded", work_orders: { open: 1 } });
  expect(named("D-EIJK")).toMatchObject({ status: "available", maintenance: { overdue: 0, upcoming: 1 } });
  const due: Due[] = (await ask("GET", "/api/v1/public/maintenance/due")).body.data;
  expect(due.find(({ aircraft }) => aircraft.registration === "D-EIJK")?.next.remaining_hours).toBe("1.30");
  const records: Counted[] = (await ask("GET", "/api/v1/public/compliance?soon_days=14")).body.data;
  expect(records.find(({ type }) => type === "medical")).toMatchObject({ valid: 16, expiring_soon: 1 });
  expect(records.find(({ type }) => type === "sep")).toMatchObject({ valid: 7, expired: 1 });

  const progress: Progress[] = (await ask("GET", "/api/v1/public/training-progress")).body.data;
  expect(progress).toHaveLength(8);
  const done = progress.map(({ items }) => items.done).sort((one, other) => one - other);
  // How far they are depends on the day of the week.
  expect(done[0]).toBeLessThan(45);
  expect(done.at(-1)).toBeGreaterThan(45);
  expect((await ask("GET", "/api/v1/public/training/signoffs?limit=500")).body.data.length).toBeGreaterThan(400);

  // All accounts have this password.
  const emails = story.match(/\S+@windyhill\.example/g) ?? [];
  expect(emails).toHaveLength(5);
  for (const email of emails) {
    const login = JSON.stringify({ email, password: found(/password (\S+)/) });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}/auth/login`, { method: "POST", headers, body: login })).status).toBe(200);
  }

  // The receiver's URL is the only one on this machine that may be registered.
  const admin = found(/(\S+@windyhill\.example)/);
  const signIn = JSON.stringify({ email: admin, password: found(/password (\S+)/) });
  const json = { "content-type": "application/json" };
  const session = (await (
    await fetch(`${url}/auth/login`, { method: "POST", headers: json, body: signIn })
  ).json()) as {
    access_token: string;
  };
  const list = async <T>(path: string): Promise<T[]> => {
    const headers = { authorization: `Bearer ${session.access_token}` };
    return ((await (await fetch(`${url}/orgs/${org}${path}`, { headers })).json()) as { data: T[] }).data;
  };
  const invoices = await list<Invoice>("/finance/invoices?limit=100");
  const invoiced = counted(invoices.map((invoice) => invoice.status));
  expect(invoiced.paid).toBeGreaterThan(5);
  expect(invoiced.overdue).toBeGreaterThanOrEqual(3);
  // Numbers are given in the order of the days on which invoices were sent.
  const days = invoices.toSorted((one, other) => (one.number < other.number ? -1 : 1)).map((one) => one.issued_on);
  expect(days).toEqual(days.toSorted());
  expect(new Set(days.map((day) => day.slice(0, 7))).size).toBeGreaterThanOrEqual(2);
  expect(await list("/planning/wishes?status=waiting")).toHaveLength(3);
  // What the past days have made due is done before anybody looks.
  for (const job of ["invoice-overdue", "compliance-evaluation", "maintenance-due"]) {
    const { stdout } = await run(["jobs", "run", job], { env: { WINDSOCK_DATA_DIR: directory } });
    expect(stdout).toBe(`${job}: idle. There was nothing to do.\n`);
  }
  expect((await list("/compliance/evaluations?status=expiring")).length).toBeGreaterThan(0);
  const now = new Date().toISOString();
  const past = await list<{ status: string }>(`/planning/sessions?limit=500&to=${now.slice(0, 10)}T00:00:00Z`);
  const sessions = counted(past.map((one) => one.status));
  expect(sessions).toMatchObject({ no_show: 6, completed: expect.any(Number), cancelled: expect.any(Number) });
  expect(sessions).not.toHaveProperty("planned");
  const enter = (address: string) =>
    fetch(`${url}/orgs/${org}/integrations/webhook-endpoints`, {
      method: "POST",
      headers: { ...json, authorization: `Bearer ${session.access_token}` },
      body: JSON.stringify({ url: address, event_types: ["webhook.test"] }),
    });
  const receiver = found(/(https:\/\/127\.0\.0\.1:\d+\/webhooks)/);
  for (const near of ["https://127.0.0.1/", `${receiver}/`, receiver.replace(/\d+\/webhooks/, "8443/webhooks")])
    expect([near, (await enter(near)).status]).toEqual([near, 400]);
  expect((await enter(receiver)).status).toBe(201);

  const event = found(/events\/(evt_\w+)\/replay/);
  expect((await ask("POST", `/api/v1/public/events/${event}/replay`)).status).toBe(201);
  expect(await demo.printed(/delivery \S+, verified\n/)).toContain(`✓ flight.approved, ${event}: delivery`);
  demo.signal("SIGTERM");
  expect(await demo.over()).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Stopped. All database files are complete\.\n$/),
  });
  expect(await unfinished(directory)).toEqual([]);

  const before = (await readdir(directory)).sort();
  const again = await (await startDemo()).over();
  expect(again.code).toBe(1);
  expect(again.output).toContain(`The demo needs an empty data directory, and ${directory} is not empty`);
  expect((await readdir(directory)).sort()).toEqual(before);
}, 300_000);

test("Ctrl-C during the demo's requests stops it in order", async () => {
  // The school's file is created at its sign-up, the first of some thousand requests.
  const signedUp = fileIn(directory, /^[0-9a-f-]{36}\.db$/);
  const demo = await startDemo();
  await signedUp;
  demo.interrupt();
  const { code, output } = await demo.over();
  expect(code).toBe(0);
  expect(output).toMatch(/^\n {2}Plays two months.*\n\n {2}Stopped\. All database files are complete\.\n$/);
  expect(await unfinished(directory)).toEqual([]);
}, 300_000);

test("the demo prints the public address of the server", async () => {
  const demo = await startDemo({ WINDSOCK_HOST: "0.0.0.0", WINDSOCK_PUBLIC_URL: "https://ops.example.com" });
  // At once: the months take some seconds.
  const first = await demo.printed(/Plays two months.*\n/);
  expect(first).toContain("https://ops.example.com");
  expect(first).not.toContain("0.0.0.0");
}, 300_000);

test("a demo that failed to start does not prevent the next one", async () => {
  const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  try {
    const failed = await (await startDemo({ WINDSOCK_PORT: String(taken.port) })).over();
    expect(failed).toMatchObject({ code: 1, output: expect.stringContaining("Can't listen") });
  } finally {
    await taken.stop(true);
  }
  const demo = await startDemo();
  await demo.printed(/Plays two months/);
  demo.signal("SIGTERM");
  expect(await demo.ended).toBe(0);
}, 300_000);

test("the demo rejects a directory with other files than a README", async () => {
  await writeFile(join(directory, "README.md"), "# tenants");
  await writeFile(join(directory, "somebody's.txt"), "notes");
  expect(await (await startDemo()).over()).toMatchObject({ code: 1 });
  expect((await readdir(directory)).sort()).toEqual(["README.md", "somebody's.txt"]);
}, 120_000);

test("the demo's receiver accepts only deliveries signed with its secret, and only with its own certificate", async () => {
  const secrets: string[] = [];
  const certificate = selfSigned(new Date());
  const receiver = await startReceiver({ certificate, secrets: () => secrets });
  const delivered: Delivery[] = [];
  receiver.onDelivery((delivery) => delivered.push(delivery));
  const options = { policy: addressPolicy(["127.0.0.1/32"]), keepAlive: false, version: "0" };
  const send = createSender({ ...options, ca: certificate.cert });
  const body = JSON.stringify({
    event: { type: "webhook.test", id: "evt_1", occurred_at: new Date().toISOString(), data: {} },
  });
  const [known, other] = [newSecret(), newSecret()];
  const deliveryId = newId<"delivery">(systemClock);
  const signed = (secret: string, text = body, now = toInstant(systemClock.now())) => ({
    url: receiver.url,
    headers: deliveryHeaders(text, { deliveryId, secrets: { primary: secret }, now }),
    body,
  });
  try {
    expect(await send(signed(known))).toMatchObject({ status: 401 });
    secrets.push(known);
    expect(await send(signed(known))).toMatchObject({ status: 204, errorClass: null });
    const stale = signed(known, body, shift(systemClock.now(), -minutes(6)));
    const { headers } = signed(known);
    const bad = [
      signed(other),
      signed(known, `${body} `),
      stale,
      { ...signed(known), headers: {} },
      { ...signed(known), headers: { ...headers, "webhook-timestamp": "1" } },
      { ...signed(known), headers: { ...headers, "webhook-signature": "v1,other" } },
      { ...signed(known), headers: { ...headers, "X-SVC-Webhook-Signature": "sha256=other" } },
    ];
    for (const outgoing of bad) expect(await send(outgoing)).toMatchObject({ status: 401 });
    expect(delivered.map(({ id, event }) => [id, event.type])).toEqual([[deliveryId, "webhook.test"]]);

    const trusting = createSender(options);
    expect(await trusting(signed(known))).toMatchObject({ status: null, errorClass: "tls" });
    trusting.close();
  } finally {
    send.close();
    receiver.close();
  }
});
