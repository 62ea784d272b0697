/** Deliveries over real connections: outbox, dispatcher, signing, sender, and receivers that misbehave in each way. */
import { afterAll, expect, test } from "bun:test";
import { verify } from "@octokit/webhooks-methods";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import { createSender } from "../../src/events/outbound/sender.ts";
import { stretched } from "../support/limits.ts";
import { newAuthority } from "./certificate.ts";
import { type Answering, closeReceivers, newReceiver } from "./receiver.ts";
import { newSetup } from "./setup.ts";

const authority = newAuthority();
afterAll(closeReceivers);

const answers: Record<string, Answering> = {
  healthy: (response) => response.writeHead(200).end("thanks"),
  hangs: () => undefined,
  drips: (response) => {
    response.writeHead(200);
    const drip = setInterval(() => (response.destroyed ? clearInterval(drip) : response.write(".")), 20);
  },
  redirects: (response) => response.writeHead(301, { location: "https://healthy.test/" }).end(),
  gone: (response) => response.writeHead(410).end(),
  breaks: (response) => response.writeHead(500).end("oops"),
  floods: (response) => {
    const block = Buffer.alloc(1 << 20);
    let left = 100;
    response.writeHead(200);
    const more = (): unknown => {
      while (left-- > 0 && !response.destroyed) if (!response.write(block)) return response.once("drain", more);
      return response.end();
    };
    more();
  },
};

test("each kind of receiver leads to its outcome, and none delays a healthy one", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  let isRebound = false;
  const timeout = Math.round(stretched(1200));
  const send = createSender({
    policy: addressPolicy(["127.0.0.0/8"]),
    keepAlive: true,
    version: "test",
    ca: authority.ca,
    timeout,
    resolve: async (name) => [name === "rebinds.test" && isRebound ? "10.0.0.1" : "127.0.0.1"],
  });
  const dispatcher = setup.dispatcher(send);
  const endpoints: Record<string, Awaited<ReturnType<typeof school.addEndpoint>>> = {};
  const receivers: Record<string, Awaited<ReturnType<typeof newReceiver>>> = {};
  for (const [name, answer] of Object.entries(answers)) {
    const receiver = await newReceiver(authority.issue(`${name}.test`), answer);
    receivers[name] = receiver;
    endpoints[name] = await school.addEndpoint({ url: `https://${name}.test:${receiver.port}/` });
  }
  const port = (await newReceiver(authority.issue("other.test"))).port;
  endpoints.impostor = await school.addEndpoint({ url: `https://impostor.test:${port}/` });
  endpoints.rebinds = await school.addEndpoint({ url: `https://rebinds.test:${receivers.healthy?.port}/` });
  isRebound = true;

  const deliveries: Record<string, string> = {};
  for (const [name, { id }] of Object.entries(endpoints)) deliveries[name] = (await school.ping(id)).deliveryId;
  const healthy = endpoints.healthy;
  const receiver = receivers.healthy;
  if (!healthy || !receiver) throw new Error("There is no healthy endpoint.");
  for (let count = 0; count < 50; count++) await school.ping(healthy.id);
  const start = performance.now();
  let servedAfter = 0;
  receiver.answer = (response, _, count) => {
    if (count === 51) servedAfter = performance.now() - start;
    response.writeHead(200).end("thanks");
  };
  await dispatcher.sendDue();
  send.close();

  expect(receiver.received).toHaveLength(51);
  expect(servedAfter).toBeGreaterThan(0);
  expect(servedAfter).toBeLessThan(timeout); // as long as a receiver takes that hangs
  const ended: Record<string, unknown[]> = {};
  for (const [name, id] of Object.entries(deliveries)) {
    const { status } = await school.delivery(id as never);
    const [attempt] = await school.attempts(id as never);
    ended[name] = [status, attempt?.status_code, attempt?.error_class];
  }
  expect(ended).toEqual({
    healthy: ["succeeded", 200, null],
    hangs: ["pending", null, "timeout"],
    drips: ["pending", 200, "timeout"],
    redirects: ["pending", 301, "redirect"],
    gone: ["cancelled", 410, "status"],
    breaks: ["pending", 500, "status"],
    floods: ["succeeded", 200, null],
    impostor: ["pending", null, "tls"],
    rebinds: ["pending", null, "refused_address"],
  });

  for (const { headers, body } of receiver.received) {
    const signature = String(headers["x-svc-webhook-signature"]);
    expect(await verify(healthy.secret, body, signature)).toBe(true);
    expect(await verify("whsec_wrong", body, signature)).toBe(false);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["x-svc-webhook-timestamp"]).toBe(setup.clock.now().toISOString());
    expect(JSON.parse(body).event).toMatchObject({ type: "webhook.test", data: { endpoint_id: healthy.id } });
  }
  const uuids = receiver.received.map(({ headers }) => headers["x-svc-webhook-delivery"]);
  expect(new Set(uuids).size).toBe(51);
});
