import { expect, test } from "bun:test";
import { InMemorySpanExporter, type ReadableSpan, type SpanExporter } from "@opentelemetry/sdk-trace";
import type { Span } from "../../src/core/trace.ts";
import { createSpans } from "../../src/tracing/spans.ts";
import type { SamplerSettings, TracingSettings } from "../../src/tracing/tracing-variables.ts";
import { stretched } from "../support/limits.ts";

type ExportResult = Parameters<Parameters<SpanExporter["export"]>[1]>[0];

const trace = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", isSampled: true };
const parent = { ...trace, spanId: "00f067aa0ba902b7" };
const span: Span = {
  name: "GET /people",
  kind: "server",
  trace,
  parent: undefined,
  milliseconds: 250,
  attributes: { "http.route": "/people" },
  error: undefined,
};

/** An exporter that keeps spans, and their queue. */
function scene({ sampler = { followsParent: true, ratio: 1 }, batch = {} }: Partial<TracingSettings> = {}) {
  const exported: ReadableSpan[] = [];
  const logged: [object, string][] = [];
  const results: ExportResult[] = [];
  class Exporter extends InMemorySpanExporter {
    override export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
      exported.push(...spans);
      done(results.shift() ?? { code: 0 });
    }
  }
  const log = { warn: (details: object, message: string) => void logged.push([details, message]) };
  const spans = createSpans({ sampler, batch }, { version: "1.2.3", log, exporter: new Exporter() });
  return { spans, exported, logged, results };
}

test("a span has the ids that the log and traceparent have, and the duration that was measured", async () => {
  const { spans, exported } = scene();
  spans.record({ ...span, parent: { ...parent, state: "vendor=1" } });
  spans.record({ ...span, error: "SERVER_ERROR" });
  await spans.close(1000);
  const [child, root] = exported;
  expect(child?.spanContext()).toMatchObject({ traceId: trace.traceId, spanId: trace.spanId });
  expect(child?.parentSpanContext).toMatchObject({ spanId: parent.spanId, isRemote: true });
  expect(child?.spanContext().traceState?.serialize()).toBe("vendor=1");
  expect(child?.duration).toEqual([0, 250_000_000]);
  expect(child?.resource.attributes).toMatchObject({ "service.name": "windsock", "service.version": "1.2.3" });
  expect(child?.status).toEqual({ code: 0 });
  expect(root?.spanContext()).toMatchObject({ traceId: trace.traceId, spanId: trace.spanId });
  expect(root?.parentSpanContext).toBeUndefined();
  expect(root).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "SERVER_ERROR" } });
});

test("the sampler asks the parent where it follows it, and otherwise the lot", () => {
  const samples = (sampler: SamplerSettings, isSampled?: boolean, lot = trace.traceId) =>
    scene({ sampler }).spans.samples(lot, isSampled === undefined ? undefined : { ...parent, isSampled });
  expect(samples({ followsParent: true, ratio: 1 })).toBe(true);
  expect(samples({ followsParent: true, ratio: 1 }, false)).toBe(false);
  expect(samples({ followsParent: true, ratio: 0 })).toBe(false);
  expect(samples({ followsParent: true, ratio: 0 }, true)).toBe(true);
  expect(samples({ followsParent: false, ratio: 0 }, true)).toBe(false);
  expect(samples({ followsParent: false, ratio: 0.5 }, undefined, "00000000000000000000000000000001")).toBe(true);
  expect(samples({ followsParent: false, ratio: 0.5 }, undefined, "000000000000000000000000ffffffff")).toBe(false);
});

test("the queue drops what does not fit", async () => {
  const { spans, exported } = scene({
    batch: { maxQueueSize: 10, maxExportBatchSize: 10, scheduledDelayMillis: 60_000 },
  });
  // One batch is being exported, and one waits, in the same turn of the event loop.
  for (let n = 0; n < 1000; n += 1) spans.record(span);
  await spans.close(1000);
  expect(exported).toHaveLength(20);
});

test("a collector that fails is said once, and again when it takes spans, without the message of the error", async () => {
  const { spans, logged, results } = scene({ batch: { maxExportBatchSize: 1 } });
  const failure = { code: 1, error: Object.assign(new Error("http://user:secret@collector"), { code: 503 }) };
  results.push(failure, failure, { code: 0 });
  for (let n = 0; n < 3; n += 1) spans.record(span);
  await spans.close(1000);
  expect(logged).toEqual([
    [{ spans: 1, error: 503 }, "The collector takes no spans. They are lost."],
    [{}, "The collector takes spans again."],
  ]);
});

test("an end does not wait for a collector longer than it may", async () => {
  const logged: string[] = [];
  const never = { export: () => undefined, shutdown: () => new Promise<void>(() => undefined) };
  const log = { warn: (_: object, message: string) => void logged.push(message) };
  const spans = createSpans(
    { sampler: { followsParent: true, ratio: 1 }, batch: {} },
    { version: "1", log, exporter: never },
  );
  spans.record(span);
  const start = performance.now();
  await spans.close(20);
  expect(performance.now() - start).toBeLessThan(stretched(5000));
});
