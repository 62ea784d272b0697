/**
 * Exports spans by OTLP, with the libraries of OpenTelemetry. This file is imported only if the operator configured it, since they
 * take a while to load. Spans wait in a queue of bounded length, which drops what a collector does not take in time: nothing else
 * waits for it.
 */
import {
  createTraceState,
  INVALID_SPANID,
  INVALID_TRACEID,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { ATTR_ERROR_TYPE, ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions";
import { atMost } from "../core/async.ts";
import type { Parent, Spans } from "../core/trace.ts";
import { reportingFailures } from "./report-failures.ts";
import type { SamplerSettings, TracingSettings } from "./tracing-variables.ts";

interface SpansOptions {
  version: string;
  log: { warn(details: Record<string, unknown>, message: string): void };
  /** By default what the environment says. */
  exporter?: SpanExporter;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

export function createSpans({ sampler, batch }: TracingSettings, { version, log, exporter }: SpansOptions): Spans {
  const decides = samplerOf(sampler);
  const ids = new GivenIds();
  const resource = defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: "windsock", [ATTR_SERVICE_VERSION]: version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exports = reportingFailures(exporter ?? new OTLPTraceExporter(), log);
  const provider = new TracerProvider({
    resource,
    // What is not sampled does not come here: that was decided when its trace began.
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ ...batch, exporter: exports })],
  });
  const tracer = provider.getTracer("windsock", version);
  return {
    samples(lot, parent) {
      const { decision } = decides.shouldSample(contextOf(parent), lot, "", SpanKind.INTERNAL, {}, []);
      return decision === SamplingDecision.RECORD_AND_SAMPLED;
    },
    record({ name, kind, trace: { traceId, spanId }, parent, milliseconds, attributes, error }) {
      ids.next = { traceId, spanId };
      const end = Date.now();
      const startTime = end - milliseconds;
      const span = tracer.startSpan(name, { kind: kinds[kind], startTime, attributes }, contextOf(parent));
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute(ATTR_ERROR_TYPE, error);
      span.end(end);
    },
    async close(deadlineMs) {
      // What could not be exported was reported.
      await atMost(
        deadlineMs,
        provider.shutdown().catch(() => undefined),
      );
    },
  };
}

function samplerOf({ followsParent, ratio }: SamplerSettings): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return followsParent ? new ParentBasedSampler({ root }) : root;
}

const contextOf = (parent: Parent | undefined) =>
  parent === undefined
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, {
        traceId: parent.traceId,
        spanId: parent.spanId,
        traceFlags: parent.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
        isRemote: true,
        ...(parent.state !== undefined && { traceState: createTraceState(parent.state) }),
      });

/** Gives the next span the ids that it has in the log and in `traceparent`. */
class GivenIds implements IdGenerator {
  next = { traceId: INVALID_TRACEID, spanId: INVALID_SPANID };

  generateTraceId(): string {
    return this.next.traceId;
  }

  generateSpanId(): string {
    return this.next.spanId;
  }
}
