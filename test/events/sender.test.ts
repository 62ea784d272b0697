import { afterAll, afterEach, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import type { Outcome } from "../../src/events/outbound/outcome.ts";
import { createSender, type SenderOptions } from "../../src/events/outbound/sender.ts";
import { stretched } from "../support/limits.ts";
import { newAuthority } from "./certificate.ts";
import { type Answering, closeReceivers, newReceiver } from "./receiver.ts";

const authority = newAuthority();
const identity = authority.issue("receiver.test", "127.0.0.1");
const senders: { close(): void }[] = [];
afterEach(() => {
  for (const sender of senders.splice(0)) sender.close();
});
afterAll(closeReceivers);

function sender(options: Partial<SenderOptions> = {}) {
  const created = createSender({
    policy: addressPolicy(["127.0.0.0/8"]),
    keepAlive: true,
    version: "1.2.3",
    timeout: stretched(400),
    ca: authority.ca,
    resolve: async () => ["127.0.0.1"],
    ...options,
  });
  senders.push(created);
  return created;
}

async function sendTo(answer: Answering | undefined, options?: Partial<SenderOptions>, host = "receiver.test") {
  const receiver = await newReceiver(identity, answer);
  const outcome = await sender(options)({
    url: `https://${host}:${receiver.port}/hook?a=b`,
    headers: { "Content-Type": "application/json" },
    body: '{"ä":1}',
  });
  return { outcome, receiver };
}

const status =
  (code: number, headers: Record<string, string> = {}): Answering =>
  (response) =>
    response.writeHead(code, headers).end("seen");

test("a request arrives unchanged, and the outcome has the response's status", async () => {
  const { outcome, receiver } = await sendTo(status(200, { "x-answer": "yes" }));
  expect(outcome).toMatchObject({ errorClass: null, status: 200, headers: null });
  const [received] = receiver.received;
  expect(received).toMatchObject({ path: "/hook?a=b", body: '{"ä":1}' });
  expect(received?.headers).toMatchObject({
    "user-agent": "Windsock-Webhooks/1.2.3",
    "content-type": "application/json",
    "content-length": "8",
    host: `receiver.test:${receiver.port}`,
  });
});

test("a URL with an address needs no lookup", async () => {
  const resolve = async () => Promise.reject(new Error("not to be called"));
  const { outcome } = await sendTo(undefined, { resolve }, "127.0.0.1");
  expect(outcome).toMatchObject({ errorClass: null, status: 204 });
});

test("bodies of addresses on the allow list are not kept", async () => {
  const { outcome } = await sendTo(status(200));
  expect(outcome.body).toBeNull();
});

test("the first 16 KiB of a body from a public address are kept", async () => {
  const { outcome: short } = await sendTo(status(500), { policy: () => "public" });
  expect(short).toMatchObject({ errorClass: "status", body: "seen" });
  const long: Answering = (response) => response.writeHead(200).end(`a\0${"b".repeat(100_000)}`);
  const { outcome } = await sendTo(long, { policy: () => "public" });
  expect(outcome.body).toBe(`a\uFFFD${"b".repeat(16 * 1024 - 4)}`);
  const { outcome: odd } = await sendTo((response) => response.writeHead(200).end(Buffer.alloc(16 * 1024, 0xff)), {
    policy: () => "public",
  });
  expect(odd.body).toBe("\uFFFD".repeat(5461));
});

const oddAnswers: [name: string, answer: Answering, body: string][] = [
  [
    "a body that is cut off",
    (response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("half", () => response.destroy());
    },
    "half",
  ],
  [
    "a chunked body that is cut off",
    (response) => {
      response.writeHead(200);
      response.write("half", () => response.destroy());
    },
    "half",
  ],
  ["a 204 with a body", raw("HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok"), ""],
  [
    "a 204 with an empty chunked body",
    raw("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "",
  ],
];

/** Responds with these bytes. */
function raw(bytes: string): Answering {
  return ({ socket }) => void socket?.end(bytes);
}

test.each(oddAnswers)("an attempt succeeds with %s: only the status counts", async (_, answer, body) => {
  const { outcome, receiver } = await sendTo(answer, { policy: () => "public" });
  expect(outcome).toMatchObject({ errorClass: null, body });
  expect(receiver.received).toHaveLength(1);
});

const dripping: Answering = (response) => {
  response.writeHead(200);
  drip(response);
};

function drip(response: ServerResponse): void {
  if (response.destroyed || response.closed) return;
  response.write(".");
  setTimeout(drip, 30, response);
}

function hints(response: ServerResponse): void {
  if (response.destroyed || response.closed) return;
  response.writeEarlyHints({ link: "</style.css>; rel=preload" });
  setImmediate(hints, response);
}

const failures: [name: string, answer: Answering, expected: Partial<Outcome>][] = [
  [
    "a redirect, which is not followed",
    status(301, { location: "/elsewhere" }),
    { errorClass: "redirect", status: 301 },
  ],
  ["410", status(410), { errorClass: "status", status: 410 }],
  ["500", status(500), { errorClass: "status", status: 500 }],
  ["no response", () => undefined, { errorClass: "timeout", status: null }],
  ["a body that drips", dripping, { errorClass: "timeout", status: 200 }],
  [
    "a body that is cut off",
    (response) => {
      response.writeHead(500, { "content-length": "1000" });
      response.write("half", () => response.destroy());
    },
    { errorClass: "status", status: 500, body: null },
  ],
  ["a connection that is closed", (response) => response.destroy(), { errorClass: "no_response", status: null }],
  ["endless interim responses", (response) => hints(response), { errorClass: "no_response", status: null }],
];

test.each(failures)("an attempt fails with %s", async (_, answer, expected) => {
  const { outcome, receiver } = await sendTo(answer);
  expect(outcome).toMatchObject(expected);
  expect(outcome.durationMs).toBeLessThan(stretched(1000));
  expect(receiver.received).toHaveLength(1);
});

test("only the start of a 100 MB body is read", async () => {
  let written = 0;
  const block = Buffer.alloc(1 << 20);
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const { outcome } = await sendTo((response) => {
    response.on("close", close).writeHead(200);
    const more = () => {
      while (written < 100 << 20 && !response.destroyed) {
        written += block.length;
        if (!response.write(block)) return response.once("drain", more);
      }
      return response.end();
    };
    more();
  });
  expect(outcome).toMatchObject({ errorClass: null, status: 200 });
  await closed;
  expect(written).toBeLessThan(20 << 20);
});

test("a certificate for another host, or of an unknown authority, is rejected", async () => {
  const otherHost = authority.issue("other.test");
  const unknownAuthority = newAuthority("Unknown").issue("receiver.test");
  for (const invalid of [otherHost, unknownAuthority]) {
    const receiver = await newReceiver(invalid);
    const outcome = await sender()({ url: `https://receiver.test:${receiver.port}/`, headers: {}, body: "{}" });
    expect(outcome).toMatchObject({ errorClass: "tls", status: null });
    expect(receiver.received).toEqual([]);
  }
});

test("TLS before 1.2 is refused", async () => {
  const receiver = await newReceiver({ ...identity, minVersion: "TLSv1", maxVersion: "TLSv1.1" });
  const outcome = await sender()({ url: `https://receiver.test:${receiver.port}/`, headers: {}, body: "{}" });
  expect(outcome).toMatchObject({ errorClass: "tls", status: null });
  expect(receiver.received).toEqual([]);
});

test("an invalid URL or header fails the attempt", async () => {
  const receiver = await newReceiver(identity);
  const send = sender();
  for (const [url, value] of [
    ["not a URL", "valid"],
    [`https://receiver.test:${receiver.port}/`, "new\nline"],
  ] as const) {
    const outcome = await send({ url, headers: { "X-Value": value }, body: "{}" });
    expect(outcome).toMatchObject({ errorClass: "connect", status: null, headers: null, body: null });
  }
  expect(receiver.received).toEqual([]);
});

test("a connection that is closed before TLS is no connection, and one that is closed after has no response", async () => {
  const close = (socket: Socket) => void socket.destroy();
  const [early, late] = [createServer(close), createTlsServer(identity, close)];
  const outcomes = [];
  for (const server of [early, late]) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    outcomes.push((await sender()({ url: `https://receiver.test:${port}/`, headers: {}, body: "{}" })).errorClass);
    await new Promise((resolve) => server.close(resolve));
  }
  expect(outcomes).toEqual(["connect", "no_response"]);
});

test("a server without TLS, or a port without a server, fails the attempt", async () => {
  const plain = createServer((socket) => socket.resume().end("HTTP/1.1 200 OK\r\n\r\n"));
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const address = plain.address();
  const port = typeof address === "object" ? address?.port : 0;
  const send = sender();
  const toPlain = await send({ url: `https://receiver.test:${port}/`, headers: {}, body: "{}" });
  expect(["tls", "connect"]).toContain(toPlain.errorClass ?? "");
  await new Promise((resolve) => plain.close(resolve));
  const toClosed = await send({ url: `https://receiver.test:${port}/`, headers: {}, body: "{}" });
  expect(toClosed.errorClass).toBe("connect");
});

test("a request fails if the name resolves to a private address, even if an earlier request succeeded", async () => {
  const answers = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "10.0.0.1"], []];
  const resolve = async () => answers.shift() ?? [];
  const receiver = await newReceiver(identity, (response) => response.writeHead(204, { connection: "close" }).end());
  const send = sender({ resolve });
  const outgoing = { url: `https://receiver.test:${receiver.port}/`, headers: {}, body: "{}" };
  const outcomes = [await send(outgoing), await send(outgoing), await send(outgoing), await send(outgoing)];
  expect(outcomes.map(({ errorClass }) => errorClass)).toEqual([null, "refused_address", "refused_address", "dns"]);
  expect(receiver.received).toHaveLength(1);
});

test("4 KiB of headers from a public address are kept, without cookies", async () => {
  const sent = { "set-cookie": "a=1", "x-a": "a".repeat(2000), "x-b": "b".repeat(2000), "x-c": "c".repeat(100) };
  const { outcome } = await sendTo(status(200, sent), { policy: () => "public" });
  expect(outcome).toMatchObject({ status: 200, body: "seen" });
  const headers = outcome.headers ?? {};
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(["x-a", "x-b"]));
  expect(Object.keys(headers)).not.toContain("set-cookie");
  expect(Object.keys(headers)).not.toContain("x-c");
});

test("loopback is rejected, by name and by address, unless the allow list contains it", async () => {
  for (const host of ["receiver.test", "127.0.0.1", "[::1]"]) {
    const { outcome, receiver } = await sendTo(undefined, { policy: addressPolicy([]) }, host);
    expect(outcome).toMatchObject({ errorClass: "refused_address", status: null });
    expect(receiver.received).toEqual([]);
  }
});

test("connections are reused, but not between host names", async () => {
  const ports = new Set<number | undefined>();
  const receiver = await newReceiver(authority.issue("a.test", "b.test"), (response) => {
    ports.add(response.socket?.remotePort);
    response.writeHead(200).end("ok");
  });
  const send = sender();
  for (const host of ["a.test", "a.test", "a.test", "b.test", "b.test"]) {
    await send({ url: `https://${host}:${receiver.port}/`, headers: {}, body: "{}" });
  }
  expect(ports.size).toBe(2);
});

test("an idle connection that the receiver closed is not used for the next request", async () => {
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
  const receiver = await newReceiver(identity, (response) => {
    const { socket } = response;
    response.writeHead(204).end(() => {
      socket?.once("close", onClosed);
      socket?.end();
    });
  });
  const send = sender();
  const outgoing = { url: `https://receiver.test:${receiver.port}/`, headers: {}, body: "{}" };
  expect((await send(outgoing)).errorClass).toBeNull();
  await closed;
  expect((await send(outgoing)).errorClass).toBeNull();
  expect(receiver.received).toHaveLength(2);
});

test("up to 8 interim responses are accepted", async () => {
  const { outcome } = await sendTo((response) => {
    for (let count = 0; count < 8; count++) response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    response.writeHead(204).end();
  });
  expect(outcome).toMatchObject({ errorClass: null, status: 204 });
});

/** Receivers that count their open connections, and all connections made. */
async function countedReceivers(count: number) {
  const connections = new Set<unknown>();
  const closed = { notify: () => {} };
  let made = 0;
  const receivers = [];
  for (let index = 0; index < count; index++)
    receivers.push(
      await newReceiver(identity, (response) => {
        const { socket } = response;
        if (socket !== null && !connections.has(socket)) {
          connections.add(socket);
          made += 1;
          socket.once("close", () => {
            connections.delete(socket);
            closed.notify();
          });
        }
        response.writeHead(204).end();
      }),
    );
  const open = () => connections.size;
  const whenOpen = (number: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    closed.notify = () => open() <= number && resolve();
    closed.notify();
    return promise;
  };
  return { receivers, open, whenOpen, made: () => made };
}

test("an idle connection is closed after the idle timeout", async () => {
  const { receivers, open, whenOpen } = await countedReceivers(1);
  const send = sender({ idleConnections: { idleTimeout: 300 } });
  const outgoing = { url: `https://receiver.test:${receivers[0]?.port}/`, headers: {}, body: "{}" };
  await send(outgoing);
  await send(outgoing);
  expect(open()).toBe(1);
  await whenOpen(0);
});

test("no more idle connections are kept than the limit, and the longest idle is closed first", async () => {
  const { receivers, open, whenOpen, made } = await countedReceivers(4);
  const send = sender({ idleConnections: { total: 2 } });
  const to = (index: number) =>
    send({ url: `https://receiver.test:${receivers[index]?.port}/`, headers: {}, body: "{}" });
  for (const index of [0, 1, 0, 2]) await to(index); // 1 is the longest idle
  await whenOpen(2);
  await to(0);
  await to(2);
  expect([open(), made()]).toEqual([2, 3]);
  await to(3);
  await whenOpen(2);
});
