import { describe, expect, test } from "bun:test";
import type { Parent, Span, Spans } from "../../src/core/trace.ts";
import type { HttpDeps } from "../../src/http/http.ts";
import { logSample } from "../../src/http/log-sample.ts";
import { spanOf } from "../../src/http/request-span.ts";
import { requestStates } from "../../src/http/request-state.ts";
import { requestTraces } from "../../src/http/request-trace.ts";
import { movableClock, TOKEN, toyApp } from "./http-toy-app.ts";

const spanId = "b7ad6b7169203331";
/** A sample of less than all never has the first one, and always the second. */
const neverDrawn = "0af7651916cd43dd844fffffffffffff";
const alwaysDrawn = "0af7651916cd43dd8440000000000000";

const traceparent = (traceId: string, flags = "00") => `00-${traceId}-${spanId}-${flags}`;

interface Line {
  request_id: string;
  trace_id: string;
  span_id: string;
  level: string;
  status: number;
  sample_rate?: number;
}

function app(options: Partial<HttpDeps> = {}) {
  const { app, toy, orgId } = toyApp({ clock: movableClock(), ...options });
  return {
    orgId,
    async send(path: string, headers: Record<string, string> = {}) {
      const request = new Request(`http://localhost${path}`, {
        headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      });
      return (await app.handle(request)).headers.get("x-request-id") ?? "";
    },
    /** Log lines are written after the response: one turn of the event loop later. */
    lines: () =>
      new Promise<Line[]>((resolve) =>
        setImmediate(() => setImmediate(() => resolve(toy.logLines as unknown as Line[]))),
      ),
  };
}

/** Exports as the parent says, or else what was drawn below a half. */
function spansOf(): Spans & { recorded: Span[]; asked: [string, Parent | undefined][] } {
  const recorded: Span[] = [];
  const asked: [string, Parent | undefined][] = [];
  return {
    recorded,
    asked,
    samples(lot, parent) {
      asked.push([lot, parent]);
      return parent?.isSampled ?? lot === alwaysDrawn;
    },
    record: (span) => void recorded.push(span),
    close: async () => undefined,
  };
}

const behindProxy = { trustedProxies: ["10.0.0.0/8"], addressOf: () => "10.0.0.9" };

describe("the trace of a request", () => {
  test("is new without a traceparent, and differs from that of the next request", async () => {
    const { send, lines } = app();
    const ids = [await send("/me"), await send("/me")];
    const found = await lines();
    expect(found.map(({ trace_id }) => trace_id)).toEqual(ids.map((id) => id.replaceAll("-", "")));
    for (const { span_id } of found) expect(span_id).toMatch(/^[0-9a-f]{16}$/);
  });

  test("is the caller's with a valid traceparent, with a span of its own for each request", async () => {
    const { send, lines } = app();
    const id = await send("/me", { traceparent: traceparent(neverDrawn) });
    await send("/me", { traceparent: traceparent(neverDrawn) });
    const [one, other] = await lines();
    expect(one).toMatchObject({ request_id: id, trace_id: neverDrawn });
    expect(one?.span_id).not.toBe(spanId);
    expect(other?.trace_id).toBe(neverDrawn);
    expect(other?.span_id).not.toBe(one?.span_id);
  });

  test.each(["", "nonsense", `00-${"0".repeat(32)}-${spanId}-01`])("ignores the traceparent %j", async (text) => {
    const { send, lines } = app();
    const id = await send("/me", { traceparent: text });
    expect(await lines()).toMatchObject([{ status: 200, trace_id: id.replaceAll("-", "") }]);
  });

  test("is in the line of an error, too", async () => {
    const { send, lines } = app();
    await send("/broken/error", { traceparent: traceparent(neverDrawn) });
    const [failed, request] = await lines();
    expect(failed).toMatchObject({ level: "error", trace_id: neverDrawn, span_id: request?.span_id });
  });
});

describe("the span of a request", () => {
  const exported = async (headers: Record<string, string>, options: Partial<HttpDeps> = {}) => {
    const spans = spansOf();
    const { send, lines } = app({ spans, ...options });
    const id = await send("/me", headers);
    await lines();
    return { ...spans, lot: spans.asked[0]?.[0], ownLot: id.replaceAll("-", "") };
  };

  test("has the template, the status and ids, and no path, query, address or account", async () => {
    const spans = { ...spansOf(), samples: () => true };
    const { send, lines, orgId } = app({ spans });
    const id = await send(`/orgs/${orgId}/gliders?limit=2`);
    await lines();
    expect(spans.recorded).toEqual([
      {
        name: "GET /orgs/:orgId/gliders/",
        kind: "server",
        trace: expect.objectContaining({ traceId: id.replaceAll("-", ""), isSampled: true }),
        parent: undefined,
        milliseconds: expect.any(Number),
        attributes: {
          "http.request.method": "GET",
          "http.route": "/orgs/:orgId/gliders/",
          "http.response.status_code": expect.any(Number),
          "windsock.request_id": id,
          "windsock.organization_id": orgId,
        },
        error: undefined,
      },
    ]);
  });

  test("says what failed, and that a refusal is the caller's", async () => {
    const spans = { ...spansOf(), samples: () => true };
    const { send, lines } = app({ spans });
    await send("/broken/error");
    await send("/nowhere");
    await lines();
    expect(spans.recorded).toMatchObject([
      { name: "GET /broken/:how", error: "SERVER_ERROR" },
      { name: "GET", error: undefined, attributes: { "http.response.status_code": 404 } },
    ]);
    expect(spans.recorded[1]?.attributes).not.toHaveProperty("http.route");
  });

  test("of a method that nobody knows has none of its letters", () => {
    const state = requestStates({
      clock: movableClock(),
      addressOf: () => "unknown",
      traceOf: requestTraces({ spans: undefined, trusts: () => false }),
    })(new Request("http://localhost/me"));
    const served = { method: "SECRET", route: undefined, status: 405, milliseconds: 1 };
    expect(spanOf(state, served)).toMatchObject({ name: "HTTP", attributes: { "http.request.method": "_OTHER" } });
  });

  test("is not recorded if its trace is not sampled", async () => {
    expect((await exported({})).recorded).toEqual([]);
  });

  test("has the caller's span as its parent, with its state", async () => {
    const { recorded } = await exported(
      { traceparent: traceparent(alwaysDrawn, "01"), tracestate: "vendor=1" },
      { ...behindProxy, trustsTraceparent: true },
    );
    expect(recorded).toMatchObject([
      { trace: { traceId: alwaysDrawn }, parent: { traceId: alwaysDrawn, spanId, state: "vendor=1" } },
    ]);
  });

  test("leaves a state out that is longer than the standard allows", async () => {
    const { recorded } = await exported(
      { traceparent: traceparent(alwaysDrawn, "01"), tracestate: `vendor=${"1".repeat(512)}` },
      { ...behindProxy, trustsTraceparent: true },
    );
    expect(recorded).toHaveLength(1);
    expect(recorded[0]?.parent?.state).toBeUndefined();
  });

  test("a stranger decides neither by the flag nor by the id whether it is exported", async () => {
    for (const options of [{}, behindProxy, { trustsTraceparent: true, addressOf: () => "203.0.113.7" }])
      for (const traceId of [neverDrawn, alwaysDrawn]) {
        const { asked, lot, ownLot, recorded } = await exported({ traceparent: traceparent(traceId, "01") }, options);
        expect(asked).toEqual([[ownLot, undefined]]);
        expect(lot).not.toBe(traceId);
        expect(recorded).toEqual([]);
      }
  });

  test("a trusted proxy decides by both, if the operator says so", async () => {
    const { asked } = await exported(
      { traceparent: traceparent(neverDrawn, "01") },
      { ...behindProxy, trustsTraceparent: true },
    );
    expect(asked).toMatchObject([[neverDrawn, { traceId: neverDrawn, isSampled: true }]]);
  });
});

describe("the sample of the log", () => {
  const proxied = { ...behindProxy, trustsTraceparent: true };

  test("has all of a trace or nothing, and says its rate", async () => {
    const { send, lines } = app({ ...proxied, logSample: 0.01 });
    for (const traceId of [neverDrawn, alwaysDrawn, neverDrawn, alwaysDrawn])
      await send("/me", { traceparent: traceparent(traceId) });
    expect(await lines()).toMatchObject([
      { trace_id: alwaysDrawn, sample_rate: 0.01 },
      { trace_id: alwaysDrawn, sample_rate: 0.01 },
    ]);
  });

  test("has each request that failed, without a rate", async () => {
    const { send, lines } = app({ ...proxied, logSample: 0 });
    for (const path of ["/nowhere", "/broken/error", "/me"]) await send(path, { traceparent: traceparent(neverDrawn) });
    const requests = (await lines()).filter(({ level }) => level === "info");
    expect(requests.map(({ status }) => status)).toEqual([404, 500]);
    for (const line of requests) expect(line).not.toHaveProperty("sample_rate");
  });

  test("has each slow request, without a rate", () => {
    const sample = logSample(0.01);
    expect(sample({ lot: neverDrawn, status: 200, milliseconds: 1001 })).toEqual({});
    expect(sample({ lot: neverDrawn, status: 200, milliseconds: 1000 })).toBeUndefined();
  });

  test("is as large as its rate, of the traces that Windsock begins", async () => {
    const { send, lines } = app({ logSample: 0.5 });
    for (let sent = 0; sent < 400; sent += 1) await send("/health");
    // The odds against are a million to one.
    const { length } = await lines();
    expect(length).toBeGreaterThan(150);
    expect(length).toBeLessThan(250);
  });

  test("can't be evaded by a stranger's trace", async () => {
    const { send, lines } = app({ logSample: 0.5 });
    for (let sent = 0; sent < 100; sent += 1) await send("/health", { traceparent: traceparent(neverDrawn) });
    expect((await lines()).length).toBeGreaterThan(20);
  });

  test("is everything by default, without a rate", async () => {
    const { send, lines } = app();
    await send("/me", { traceparent: traceparent(neverDrawn) });
    const [line] = await lines();
    expect(line).toMatchObject({ trace_id: neverDrawn });
    expect(line).not.toHaveProperty("sample_rate");
  });
});
