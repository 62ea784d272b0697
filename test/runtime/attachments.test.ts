/** Files through a real server, on sockets: as the connection brings and takes them. */
import { afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterThisTest } from "../support/after-test.ts";
import { stretched } from "../support/limits.ts";
import { pdf, times } from "../support/school.ts";
import { endProcesses, startServer, urlOf } from "./processes.ts";
import { denoFromSource, isLinuxX64, type Runtime } from "./runtimes.ts";

afterEach(endProcesses);

const MEBIBYTE = 1024 * 1024;
const largest = pdf(10 * MEBIBYTE);

/** Starts a server with a defect. */
async function newDefect(env: Record<string, string> = {}, runtime?: Runtime) {
  // Not in memory: Deno rejects files in /dev.
  const directory = await mkdtemp("/tmp/windsock-attachments-");
  afterThisTest(() => rm(directory, { recursive: true, force: true }));
  const server = await startServer({ WINDSOCK_METRICS: "1", WINDSOCK_DATA_DIR: directory, ...env }, runtime);
  const url = await urlOf(server);
  let token = "";
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(201);
    return (await answer.json()).data;
  };
  const account = { email: "olga@example.com", password: "correct horse battery", name: "Olga" };
  const organization = { name: "Windy Hill", kind: "ato", time_zone: "Europe/Berlin" };
  const school = await post("/auth/signup-org", { ...account, organization });
  token = school.tokens.access_token;
  const base = `/orgs/${school.organization.id}/aircraft`;
  const aircraft = await post(base, { registration: "D-EABC", model: "Cessna 172S", class: "SEP" });
  const defect = await post(`${base}/${aircraft.id}/defects`, { description: "Left brake drags." });
  const path = `${base}/${aircraft.id}/defects/${defect.id}/attachments`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/pdf" };
  return {
    url,
    /** The path and query of an upload. */
    path: `${path}?filename=scan.pdf`,
    headers,
    upload: (body: BodyInit) => fetch(`${url}${path}?filename=scan.pdf`, { method: "POST", headers, body }),
    download: (id: string) => fetch(`${url}${path}/${id}/content`, { headers }),
  };
}

const residentMegabytes = async (url: string): Promise<number> => {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / MEBIBYTE;
};

test("5 uploads and downloads of 10 MiB at the same time cost little memory, and the server responds meanwhile", async () => {
  const { url, upload, download } = await newDefect();
  const first = await (await upload(largest)).json();
  await (await download(first.data.id)).arrayBuffer();
  const before = await residentMegabytes(url);
  let [slowest, most, isDone] = [0, 0, false];
  const probe = (async () => {
    while (!isDone) {
      const start = performance.now();
      most = Math.max(most, await residentMegabytes(url));
      slowest = Math.max(slowest, performance.now() - start);
      await pause(20); // the processor is for the server
    }
  })();
  const answers = await Promise.all(times(5, () => upload(largest)));
  expect(answers.map(({ status }) => status)).toEqual(times(5, () => 201));
  const ids = await Promise.all(answers.map(async (answer) => (await answer.json()).data.id));
  const expected = Buffer.from(await largest.arrayBuffer());
  for (const file of await Promise.all(ids.map(async (id) => (await download(id)).arrayBuffer())))
    expect(expected.equals(Buffer.from(file))).toBe(true);
  isDone = true;
  await probe;
  // In memory, uploads and downloads would take 100 MiB and more. Most of the rest is the runtime's, until it collects garbage.
  expect(most - before).toBeLessThan(100);
  expect(slowest).toBeLessThan(stretched(5000));
}, 300_000);

/** Begins an upload on a socket, and sends some of it. */
async function begin({ url, path, headers }: Awaited<ReturnType<typeof newDefect>>, length: string, bytes: number) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}${length}\r\n\r\n`);
  await new Promise<void>((resolve) => {
    largest.arrayBuffer().then((file) => socket.write(new Uint8Array(file, 0, bytes), () => resolve()));
  });
  return socket;
}

const runtimes: [string, Runtime | undefined][] = [
  ["Bun", undefined],
  ...(isLinuxX64 ? [["Deno", denoFromSource] satisfies [string, Runtime]] : []),
];

test.each(runtimes)(
  "on %s, a connection that is closed leaves nothing of its file in the quota",
  async (_, runtime) => {
    const at = await newDefect({ WINDSOCK_ATTACHMENT_QUOTA_MIB: "10" }, runtime);
    /** The quota is checked before the content, so this stores nothing. */
    const probe = async () => {
      const answer = await at.upload(new Blob(["text".repeat(MEBIBYTE)]));
      await answer.text(); // otherwise its connection stays in use
      return answer.status;
    };
    const socket = await begin(at, `content-length: ${9 * MEBIBYTE}`, 3 * MEBIBYTE);
    for (let status = 415; status !== 409; ) status = await probe(); // until the length of the other is reserved
    socket.destroy();
    for (let status = 409; status !== 415; ) status = await probe();
    expect((await at.upload(largest)).status).toBe(201);
  },
  120_000,
);

test.each(runtimes)(
  "on %s, a client gets the response while it still sends",
  async (_, runtime) => {
    const at = await newDefect({}, runtime);
    const endless = () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from("%PDF-1.7\n")),
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      });
    expect((await at.upload(endless())).status).toBe(413);
    const text = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.alloc(65_536, "text")),
    });
    expect((await at.upload(text)).status).toBe(415);
    const head = await fetch(`${at.url}${at.path.replace("/attachments", "/nothing")}`, {
      method: "POST",
      headers: at.headers,
      body: largest,
    });
    expect(head.status).toBe(404);
    expect((await at.upload(largest)).status).toBe(201);
  },
  120_000,
);
