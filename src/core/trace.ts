/**
 * W3C Trace Context (https://www.w3.org/TR/trace-context/): the ids that tie together what several programs do for one
 * request. They are in log lines and in webhooks always, and spans are exported if the operator configured it (`tracing/`).
 */
import { randomBytes } from "./crypto.ts";
import type { Id } from "./ids.ts";

/** The place of one span in a trace. */
export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** The flag of `traceparent`: whether the span may have been recorded. */
  readonly isSampled: boolean;
}

/** The span that caused another one. */
export interface Parent extends Trace {
  /** The `tracestate` beside its `traceparent`, unread. */
  readonly state?: string | undefined;
}

/** A span that has ended. */
export interface Span {
  /** Few different ones: a template, never a path. */
  name: string;
  kind: "server" | "client" | "internal";
  trace: Trace;
  parent: Parent | undefined;
  milliseconds: number;
  /** Without personal data, and without anything that a caller wrote. */
  attributes: Readonly<Record<string, string | number>>;
  /** A code, if it failed. */
  error: string | undefined;
}

/** Exports spans. */
export interface Spans {
  /**
   * Decides whether a trace is exported.
   *
   * @param lot 32 hex digits that the decision depends on
   * @param parent given if its flag may decide
   */
  samples(lot: string, parent?: Parent): boolean;
  /** Exports a span of a sampled trace, later. It neither throws nor waits. */
  record(span: Span): void;
  /** Exports those that wait, until the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Returns the ids of a new trace. They are digits of an id that exists anyway: the last 62 bits of a UUIDv7 are random, which
 * samplers rely on, and a span's id need only differ from the others of its trace.
 */
export function traceIds(id: Id<string>): Pick<Trace, "traceId" | "spanId"> {
  const traceId = id.replaceAll("-", "");
  return { traceId, spanId: traceId.slice(16) };
}

/** Returns the ids of another span of a trace. */
export const nextSpan = ({ traceId, isSampled }: Trace): Trace => ({
  traceId,
  spanId: randomBytes(8).toString("hex"),
  isSampled,
});

const format = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent`, also of a later version (3.2.4). @returns undefined if it is not valid: the trace begins anew */
export function parseTraceparent(text: string): Trace | undefined {
  const [, version, traceId, spanId, flags, more] = format.exec(text) ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Returns the `traceparent` of a span. */
export const traceparentOf = ({ traceId, spanId, isSampled }: Trace): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
