import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Problem } from "../core/errors.ts";
import { newId, type OrgId } from "../core/ids.ts";
import type { Attempt } from "./idempotency.ts";

/** Where a request came from, as far as it can be believed. */
export interface ClientInfo {
  /** An IP address, or `unknown`. */
  readonly address: string;
  readonly userAgent: string;
}

/** Everything that the HTTP layer notes about a request while it is served. */
export interface RequestState {
  readonly id: string;
  readonly client: ClientInfo;
  /** `performance.now()` at the start; a duration needs no calendar. */
  readonly startedAt: number;
  actor?: Actor;
  orgId?: OrgId;
  /** Why it was refused, if it was. */
  problem?: Problem;
  /** What its gate has granted, while one hook waits for what another has asked. */
  admitted?: Promise<unknown> | undefined;
  /** If it has an `Idempotency-Key`. */
  attempt?: Attempt;
}

/** Finds the state of a request. It hangs on the request itself, so it ends with it and no header can forge it. */
export type StateOf = (request: Request) => RequestState;

const userAgentOf = (request: Request) => (request.headers.get("user-agent") ?? "").slice(0, 256);

export function requestStates(clock: Clock, addressOf: (request: Request) => string): StateOf {
  const states = new WeakMap<Request, RequestState>();
  return (request) => {
    const known = states.get(request);
    if (known) return known;
    const state: RequestState = {
      // A caller's own X-Request-Id is never ours: two requests could then share one in the audit log.
      id: newId(clock),
      client: { address: addressOf(request), userAgent: userAgentOf(request) },
      startedAt: performance.now(),
    };
    states.set(request, state);
    return state;
  };
}
