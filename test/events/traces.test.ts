import { describe, expect, test } from "bun:test";
import { seconds, toInstant } from "../../src/core/clock.ts";
import { currentTrace, onBehalfOf } from "../../src/core/current-trace.ts";
import type { DeliveryId } from "../../src/core/ids.ts";
import { type Span, type Spans, traceparentOf } from "../../src/core/trace.ts";
import type { DispatcherOptions } from "../../src/events/dispatcher.ts";
import { emitTo } from "../../src/events/emit.ts";
import type { Outcome } from "../../src/events/outbound/outcome.ts";
import { deliveryHeaders } from "../../src/events/signing.ts";
import { webhookTest } from "../../src/events/webhook-test.ts";
import { eventsOf, failed, newNetwork, newSetup, succeeded } from "./setup.ts";

const cause = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", isSampled: true };

const traceparents = ({ sent }: ReturnType<typeof newNetwork>) => sent.map(({ headers }) => headers.traceparent ?? "");
const inTrace = (flags: string) => expect.stringMatching(new RegExp(`^00-${cause.traceId}-[0-9a-f]{16}-${flags}$`));

/** A school with an event that was caused in the trace, and dispatchers with `spans`. */
async function scene({ outcomes = [succeeded], trace = cause }: { outcomes?: Outcome[]; trace?: typeof cause } = {}) {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id, secret } = await school.addEndpoint();
  const { deliveryId } = await onBehalfOf(trace, () => school.ping(id));
  const network = newNetwork((_, count) => outcomes[count - 1] ?? succeeded);
  const recorded: Span[] = [];
  const asked: string[] = [];
  const spans: Spans = {
    samples: (lot) => asked.push(lot) > 0,
    record: (span) => void recorded.push(span),
    close: async () => undefined,
  };
  return {
    ...{ setup, school, endpoint: id, secret, deliveryId, network, spans, recorded, asked },
    /** Sends what is due, as after a restart. */
    async send(options: Partial<DispatcherOptions> = {}) {
      const dispatcher = setup.dispatcher(network.send, options);
      dispatcher.wake(school.id);
      await dispatcher.sendDue();
    },
  };
}

test("an event has the traceparent of the request that caused it, and none if nothing did", async () => {
  const { school, endpoint } = await scene();
  await school.ping(endpoint);
  expect((await eventsOf(school)).map(({ traceparent }) => traceparent)).toEqual([traceparentOf(cause), null]);
  expect(currentTrace()).toBeUndefined();
});

test("each attempt of a delivery is a span of its own in the trace of the request, also after a restart", async () => {
  const { setup, send, network, school, deliveryId } = await scene({ outcomes: [failed, failed, succeeded] });
  await send();
  setup.clock.advance(seconds(1));
  await send();
  setup.clock.advance(seconds(5));
  await send();
  const sent = traceparents(network);
  expect(sent).toEqual([inTrace("01"), inTrace("01"), inTrace("01")]);
  expect(new Set([...sent, traceparentOf(cause)]).size).toBe(4);
  const logged = (await school.attempts(deliveryId)).map((row) => JSON.parse(row.request_headers ?? "{}").traceparent);
  expect(logged).toEqual(sent);
});

test("the body and its signatures do not depend on the trace", async () => {
  const { setup, send, network, school, endpoint, secret } = await scene();
  await onBehalfOf({ ...cause, isSampled: false }, () =>
    school.tenant.write((tx) => emitTo(tx, endpoint, webhookTest, { endpoint_id: endpoint, message: "Hello" })),
  );
  await send();
  expect(traceparents(network).sort((a, b) => a.slice(-2).localeCompare(b.slice(-2)))).toEqual([
    inTrace("00"),
    inTrace("01"),
  ]);
  for (const { body, headers } of network.sent) {
    expect(body).not.toContain("trace");
    const now = toInstant(setup.clock.now());
    const deliveryId = headers["X-SVC-Webhook-Delivery"] as DeliveryId;
    const signed = deliveryHeaders(body, { deliveryId, secrets: { primary: secret }, now });
    expect(headers).toEqual({ ...signed, traceparent: headers.traceparent ?? "" });
  }
});

test("a delivery that no request caused begins a trace", async () => {
  const { send, network, school, endpoint } = await scene();
  await school.ping(endpoint);
  await send();
  const others = traceparents(network).filter((text) => !text.includes(cause.traceId));
  expect(others).toEqual([expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)]);
});

test("the log line of a delivery that failed has its trace", async () => {
  const { setup, send } = await scene({ outcomes: [failed, failed, failed, failed, failed] });
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await send();
    setup.clock.advance(seconds(125));
  }
  expect(setup.details.find(({ delivery_id }) => delivery_id !== undefined)).toMatchObject({ trace_id: cause.traceId });
});

describe("the span of a delivery", () => {
  test("has ids, the status and the number of the retry, and no address, header or body", async () => {
    const { setup, send, network, spans, recorded, school, endpoint, deliveryId, asked } = await scene({
      outcomes: [failed, succeeded],
    });
    await send({ spans });
    setup.clock.advance(seconds(1));
    await send({ spans });
    expect(recorded.map(({ trace }) => traceparentOf(trace))).toEqual(traceparents(network));
    const ids = {
      "windsock.organization_id": school.id,
      "windsock.endpoint_id": endpoint,
      "windsock.delivery_id": deliveryId,
      "windsock.event_type": "webhook.test",
    };
    expect(recorded[0]).toEqual({
      name: "deliver webhook.test",
      kind: "client",
      trace: recorded[0]?.trace ?? cause,
      parent: cause,
      milliseconds: failed.durationMs,
      attributes: { "http.request.method": "POST", "http.response.status_code": 500, ...ids },
      error: "status",
    });
    expect(recorded[1]).toMatchObject({
      parent: cause,
      attributes: { "http.response.status_code": 204, "http.request.resend_count": 1, ...ids },
      error: undefined,
    });
    expect(asked).toEqual([]);
  });

  test("is not recorded if the request's was not", async () => {
    const { send, network, spans, recorded } = await scene({ trace: { ...cause, isSampled: false } });
    await send({ spans });
    expect(recorded).toEqual([]);
    expect(traceparents(network)).toEqual([inTrace("00")]);
  });

  test("is asked for by the sampler if no request caused it", async () => {
    const { send, network, spans, recorded, asked, school, endpoint } = await scene();
    await school.ping(endpoint);
    await send({ spans });
    const [traceId] = asked;
    expect(recorded.find(({ parent }) => parent === undefined)?.trace).toMatchObject({ traceId, isSampled: true });
    expect(traceparents(network).filter((text) => text.startsWith(`00-${traceId}-`))).toHaveLength(1);
  });
});
