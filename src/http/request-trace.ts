/**
 * The trace of a request: the caller's, if its `traceparent` is valid, or else a new one.
 *
 * A caller's trace only ties ids together. Anybody may send one, with the flag that asks for a recording, or with an id that a
 * sampler always picks: so what is exported and logged is drawn by digits of our own, unless the operator says that a trusted
 * proxy makes the headers.
 */
import type { Id } from "../core/ids.ts";
import { type Parent, parseTraceparent, type Spans, type Trace, traceIds } from "../core/trace.ts";

export interface RequestTrace extends Trace {
  readonly parent: Parent | undefined;
  /** 32 hex digits, by which samples are drawn. */
  readonly lot: string;
}

export interface RequestTraceOptions {
  spans: Spans | undefined;
  /** Whether the request's `traceparent` decides about samples. */
  trusts(request: Request): boolean;
}

/** The longest `tracestate` that is taken over (3.3.1.5). */
const maxState = 512;

export function requestTraces({ spans, trusts }: RequestTraceOptions) {
  return (request: Request, id: Id<string>): RequestTrace => {
    const own = traceIds(id);
    const parent = parentOf(request);
    if (parent === undefined) {
      const lot = own.traceId;
      return { ...own, isSampled: spans?.samples(lot) ?? false, parent, lot };
    }
    const { traceId } = parent;
    const { spanId } = own;
    // Without an export the flag is passed on as it came (3.2.2.5.1).
    if (!trusts(request)) {
      const lot = own.traceId;
      return { traceId, spanId, isSampled: spans ? spans.samples(lot) : parent.isSampled, parent, lot };
    }
    return {
      traceId,
      spanId,
      isSampled: spans ? spans.samples(traceId, parent) : parent.isSampled,
      parent,
      lot: traceId,
    };
  };
}

function parentOf({ headers }: Request): Parent | undefined {
  const text = headers.get("traceparent");
  const trace = text === null ? undefined : parseTraceparent(text);
  if (trace === undefined) return undefined;
  const state = headers.get("tracestate");
  return state === null || state.length > maxState ? trace : { ...trace, state };
}
