/** The application that uses all routes. Its hooks come first, so that they apply to every response. */
import { Elysia, NotFoundError } from "elysia";
import { Problem } from "../core/errors.ts";
import type { Spans } from "../core/trace.ts";
import { allowedMethods } from "./allowed-methods.ts";
import { errorResponse, statusOf, toProblem } from "./error-envelope.ts";
import { describeError } from "./error-log.ts";
import { revalidated } from "./etag.ts";
import { unwrap } from "./json-text.ts";
import type { logSample } from "./log-sample.ts";
import { idsOf, type Log, logRequest } from "./request-log.ts";
import { spanOf } from "./request-span.ts";
import type { Served, StateOf } from "./request-state.ts";
import { securityHeaders } from "./security-headers.ts";

interface RootOptions {
  log: Log;
  /** Called after each response. */
  onServed?: ((served: Served) => void) | undefined;
  publicUrl: string;
  stateOf: StateOf;
  spans: Spans | undefined;
  sampled: ReturnType<typeof logSample>;
}

export function createRoot({ log, onServed, publicUrl, stateOf, spans, sampled }: RootOptions) {
  const common = securityHeaders(publicUrl);

  // Elysia's matcher assumes a host name of at least four characters, and a host may be called "ops".
  const root = new Elysia({ handler: { standardHostname: false } })
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, common, { "x-request-id": stateOf(request).id });
    })
    .onError(({ request, set, error, path }) => {
      let problem = toProblem(error, request.method);
      if (error instanceof NotFoundError) {
        const allow = allowedMethods(root.routes, path);
        if (allow.length > 0) {
          set.headers.allow = allow.join(", ");
          problem = new Problem("METHOD_NOT_ALLOWED", "This path does not have this method.");
        }
      }
      const state = stateOf(request);
      state.problem = problem;
      // Storage logs why a school is unavailable, or that the disk is full, once: clients go on sending requests.
      const isLoggedByStorage = problem.code === "TENANT_UNAVAILABLE" || problem.reason === "disk_full";
      if (statusOf[problem.code] >= 500 && !isLoggedByStorage)
        log.error({ ...idsOf(state), code: problem.code, error: describeError(problem.cause ?? problem) }, "failed");
      set.status = statusOf[problem.code];
      return errorResponse(problem, state.id);
    })
    .mapResponse(({ request, responseValue, set }) => {
      const answer = stateOf(request).isRevalidated ? revalidated({ request, responseValue, set }) : undefined;
      return unwrap({ request, responseValue: answer ?? responseValue, set }) ?? answer;
    })
    .onAfterResponse(({ request, route, set, responseValue }) => {
      const { method } = request;
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200);
      const state = stateOf(request);
      if (state.isInner) return;
      const milliseconds = performance.now() - state.startedAt;
      const served: Served = { method, route, status, milliseconds };
      const sample = sampled({ lot: state.trace.lot, status, milliseconds });
      if (sample) logRequest(log, state, { ...served, clientRequestId: request.headers.get("x-request-id"), sample });
      if (state.trace.isSampled) spans?.record(spanOf(state, served));
      onServed?.(served);
    });
  return root;
}
