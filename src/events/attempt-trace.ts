/**
 * The span of an attempt: in the trace of the request or the job that caused the event, however late the attempt is. Receivers
 * belong to strangers, so they get no `tracestate`, which may have what only the caller's own programs should read.
 */
import type { Clock } from "../core/clock.ts";
import { newId, type OrgId } from "../core/ids.ts";
import { nextSpan, type Parent, parseTraceparent, type Span, type Spans, type Trace, traceIds } from "../core/trace.ts";
import type { Outcome } from "./outbound/outcome.ts";
import type { Claimed } from "./outbox.ts";

/** The span of an attempt, and of what caused the event; no cause if only a command did. */
export interface AttemptTrace {
  trace: Trace;
  parent: Parent | undefined;
}

export function attemptTrace({ event }: Claimed, clock: Clock, spans: Spans | undefined): AttemptTrace {
  const parent = event.traceparent === null ? undefined : parseTraceparent(event.traceparent);
  if (parent !== undefined) return { trace: nextSpan(parent), parent };
  const ids = traceIds(newId(clock));
  return { trace: { ...ids, isSampled: spans?.samples(ids.traceId) ?? false }, parent };
}

export function attemptSpan(
  { trace, parent }: AttemptTrace,
  { id, endpointId, event, attempt }: Claimed,
  { orgId, outcome }: { orgId: OrgId; outcome: Outcome },
): Span {
  return {
    name: `deliver ${event.type}`,
    kind: "client",
    trace,
    parent,
    milliseconds: outcome.durationMs,
    attributes: {
      "http.request.method": "POST",
      ...(outcome.status !== null && { "http.response.status_code": outcome.status }),
      ...(attempt > 1 && { "http.request.resend_count": attempt - 1 }),
      "windsock.organization_id": orgId,
      "windsock.endpoint_id": endpointId,
      "windsock.delivery_id": id,
      "windsock.event_type": event.type,
    },
    error: outcome.errorClass ?? undefined,
  };
}
