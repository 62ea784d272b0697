/** When a failed request on a reused connection is sent again, and when not, since the receiver would get it twice. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import { createSender } from "../../src/events/outbound/sender.ts";
import { newAuthority } from "./certificate.ts";
import { type Answering, closeReceivers, newReceiver } from "./receiver.ts";

const authority = newAuthority();
const identity = authority.issue("receiver.test");
const senders: { close(): void }[] = [];
afterEach(() => {
  for (const sender of senders.splice(0)) sender.close();
});
afterAll(closeReceivers);

/** Sends twice on one connection. The second request gets the given response, all others 204. */
async function sendAgain(second: Answering) {
  const connections = new Set<unknown>();
  const receiver = await newReceiver(identity, (response, received, count) => {
    if (count <= 2) connections.add(response.socket);
    if (count === 2) second(response, received, count);
    else response.writeHead(204).end();
  });
  const send = createSender({
    policy: addressPolicy(["127.0.0.0/8"]),
    keepAlive: true,
    version: "1.2.3",
    ca: authority.ca,
    resolve: async () => ["127.0.0.1"],
  });
  senders.push(send);
  const outgoing = { url: `https://receiver.test:${receiver.port}/`, headers: {}, body: "{}" };
  expect((await send(outgoing)).errorClass).toBeNull();
  const outcome = await send(outgoing);
  expect(connections.size).toBe(1);
  return { outcome, requests: receiver.received.length };
}

const hint = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";

test("a request on a reused connection that is closed without a response is sent again", async () => {
  const { outcome, requests } = await sendAgain((response) => response.destroy());
  expect([outcome.errorClass, requests]).toEqual([null, 3]);
});

test.each<[string, Answering]>([
  ["closes the connection after an interim response", ({ socket }) => void socket?.end(hint)],
  ["sends endless interim responses", ({ socket }) => void socket?.write(hint.repeat(9))],
])("a receiver that %s has got the request: it is not sent again", async (_, answer) => {
  const { outcome, requests } = await sendAgain(answer);
  expect([outcome.errorClass, outcome.status, requests]).toEqual(["connect", null, 2]);
});
