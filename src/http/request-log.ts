/**
 * Logs one JSON line per request, with the route's template and never the URL: paths and queries can have invite and share
 * tokens. Users appear by id, never by e-mail address.
 */
import pino from "pino";
import type { Actor } from "../core/actor.ts";
import type { Problem } from "../core/errors.ts";
import { describeError } from "./error-log.ts";
import type { RequestState, Served } from "./request-state.ts";
import { loggedIssues } from "./validation-issues.ts";

type Write = (fields: object, message: string) => void;

/** The logger's interface for the rest of the program. */
export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** @param destination receives the lines. "silent" needs none */
export function createLog(
  level: LogLevel,
  destination: { write(line: string): void } = { write: () => undefined },
): Log {
  // `pino.transport()` starts a worker from a file, which a compiled binary does not have.
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination,
  );
}

interface LoggedRequest extends Served {
  clientRequestId: string | null;
  /** Fields of the sample that the line is of. */
  sample: { sample_rate?: number };
}

export function logRequest(
  log: Log,
  state: RequestState,
  { method, route, status, clientRequestId, milliseconds, sample }: LoggedRequest,
) {
  log.info(
    {
      ...idsOf(state),
      ...(clientRequestId !== null && /^[A-Za-z0-9._-]{1,64}$/.test(clientRequestId)
        ? { client_request_id: clientRequestId }
        : {}),
      method,
      route: route ?? "(none)",
      status,
      duration_ms: Math.round(milliseconds * 100) / 100,
      client: state.client.address,
      ...(state.orgId ? { organization_id: state.orgId } : {}),
      ...actorFields(state.actor),
      ...problemFields(state.problem),
      ...sample,
    },
    "request",
  );
}

/** Returns the ids by which lines about a request are found. */
export const idsOf = ({ id, trace }: RequestState) => ({
  request_id: id,
  trace_id: trace.traceId,
  span_id: trace.spanId,
});

/** Returns the code, the reason and the faulty fields of an error. Its message is omitted, because it may contain values. */
function problemFields(problem: Problem | undefined) {
  if (problem === undefined) return {};
  const { code, reason, issues } = problem;
  return {
    error_code: code,
    ...(reason && { error_reason: reason }),
    ...(issues && { issues: loggedIssues(issues) }),
  };
}

function actorFields(actor: Actor | undefined) {
  if (actor?.kind === "user") return { user_id: actor.userId };
  if (actor?.kind === "api_key") return { api_key_id: actor.keyId };
  return {};
}
