/** A receiver that closes a kept connection: each POST that it reads is an attempt of the log. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { seconds } from "../../src/core/clock.ts";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import { createSender } from "../../src/events/outbound/sender.ts";
import { newAuthority } from "./certificate.ts";
import { type Answering, closeReceivers, newReceiver } from "./receiver.ts";
import { newSetup } from "./setup.ts";

const authority = newAuthority();
const identity = authority.issue("receiver.test");
const senders: { close(): void }[] = [];
afterEach(() => {
  for (const sender of senders.splice(0)) sender.close();
});
afterAll(closeReceivers);

function newSender() {
  const send = createSender({
    policy: addressPolicy(["127.0.0.0/8"]),
    keepAlive: true,
    version: "1.2.3",
    ca: authority.ca,
    resolve: async () => ["127.0.0.1"],
  });
  senders.push(send);
  return send;
}

const hint = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";

const drops: [string, Answering][] = [
  ["closes the connection", (response) => response.destroy()],
  ["ends the connection", ({ socket }) => void socket?.end()],
  ["closes it after an interim response", ({ socket }) => void socket?.end(hint)],
  ["sends endless interim responses", ({ socket }) => void socket?.write(hint.repeat(9))],
];

test.each(drops)("a request on a reused connection is sent once if the receiver %s", async (_, drop) => {
  const connections = new Set<unknown>();
  const receiver = await newReceiver(identity, (response, received, count) => {
    connections.add(response.socket);
    if (count === 2) drop(response, received, count);
    else response.writeHead(204).end();
  });
  const send = newSender();
  const outgoing = { url: `https://receiver.test:${receiver.port}/`, headers: {}, body: "{}" };
  expect((await send(outgoing)).errorClass).toBeNull();
  const { errorClass, status } = await send(outgoing);
  expect([errorClass, status, receiver.received.length, connections.size]).toEqual(["no_response", null, 2, 1]);
});

test("each POST to a receiver that drops kept connections is in the log, and the retry has its own connection", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const requestsOn = new Map<unknown, number>();
  const receiver = await newReceiver(identity, (response) => {
    const { socket } = response;
    const count = (requestsOn.get(socket) ?? 0) + 1;
    requestsOn.set(socket, count);
    if (count > 1) response.destroy();
    else response.writeHead(204).end();
  });
  const dispatcher = setup.dispatcher(newSender());
  const { id } = await school.addEndpoint({ url: `https://receiver.test:${receiver.port}/` });
  const ping = async () => {
    const { deliveryId } = await school.ping(id);
    await dispatcher.sendDue();
    return deliveryId;
  };
  /** The POSTs that arrived, and the attempts of the log. */
  const postsAndAttempts = async (delivery: Awaited<ReturnType<typeof ping>>) => [
    receiver.received.filter(({ headers }) => headers["webhook-id"] === delivery).length,
    (await school.attempts(delivery)).map(({ error_class }) => error_class),
  ];

  const first = await ping();
  const dropped = await ping();
  expect(await postsAndAttempts(first)).toEqual([1, [null]]);
  expect(await postsAndAttempts(dropped)).toEqual([1, ["no_response"]]);
  const third = await ping(); // leaves a kept connection for the retry to avoid
  expect(await postsAndAttempts(third)).toEqual([1, [null]]);
  setup.clock.advance(seconds(1));
  await dispatcher.sendDue();
  expect(await postsAndAttempts(dropped)).toEqual([2, ["no_response", null]]);
  expect((await school.delivery(dropped)).status).toBe("succeeded");
});
