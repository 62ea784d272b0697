import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Problem } from "../core/errors.ts";
import { type Id, newId, type OrgId } from "../core/ids.ts";
import { type Language, preferredLanguage } from "../core/languages.ts";
import type { Permission } from "../core/permissions.ts";
import type { Store } from "../storage/store.ts";
import type { KeyUse, StoredResponse } from "../storage/used-keys.ts";
import type { RequestTrace } from "./request-trace.ts";

/** The client of a request. */
export interface ClientInfo {
  /** An IP address, or `unknown`. */
  readonly address: string;
  readonly userAgent: string;
  /** The one that it prefers of ours. */
  readonly language: Language;
}

/** A request with an `Idempotency-Key` (`idempotency.ts`). */
export interface KeyedRequest {
  use: KeyUse;
  /** The permissions that it used so far. */
  permissions: Set<Permission>;
  /** Whether its response is stored. */
  storesResponse: boolean;
  /** The database that has recorded the key. */
  recordedIn: Store | undefined;
  /** The stored response of the first request, if this one is a repeat. */
  replay: StoredResponse | undefined;
}

/** The HTTP layer's state of a request while it is served. */
export interface RequestState {
  readonly id: Id<"request">;
  readonly client: ClientInfo;
  readonly trace: RequestTrace;
  /** `performance.now()` at the start. */
  readonly startedAt: number;
  actor?: Actor;
  orgId?: OrgId;
  /** The error that it ended with. */
  problem?: Problem;
  /** The result of its gate, shared by the gate's hooks. */
  admitted?: Promise<unknown> | undefined;
  /** Whether its JSON has an `ETag` that a client with a session may send back. */
  isRevalidated?: boolean;
  /** Whether it was counted as a write. */
  isCounted?: boolean;
  /** Whether another request asks it (`if-match.ts`): it is no request of the client's. */
  isInner?: boolean;
  /** Set if it has an `If-Match`, until a write has compared it. Throws if it does not hold. */
  precondition?: (() => Promise<void>) | undefined;
  /** Set if it has an `Idempotency-Key`. */
  keyed?: KeyedRequest;
}

/** A request that has its response. */
export interface Served {
  method: string;
  /** The route's template; undefined for an unknown path. */
  route: string | undefined;
  status: number;
  /** From its arrival to its response. */
  milliseconds: number;
}

/** Returns the state of a request. The key is the request object, so no header can forge it. */
export type StateOf = (request: Request) => RequestState;

const userAgentOf = (request: Request) => (request.headers.get("user-agent") ?? "").slice(0, 256);

interface StatesOptions {
  clock: Clock;
  addressOf(request: Request): string;
  traceOf(request: Request, id: RequestState["id"]): RequestTrace;
}

export function requestStates({ clock, addressOf, traceOf }: StatesOptions): StateOf {
  const states = new WeakMap<Request, RequestState>();
  return (request) => {
    const known = states.get(request);
    if (known) return known;
    // Never the caller's X-Request-Id: two requests in the audit log could then have the same id.
    const id = newId<"request">(clock);
    const state: RequestState = {
      id,
      client: {
        address: addressOf(request),
        userAgent: userAgentOf(request),
        get language() {
          return preferredLanguage(request.headers.get("accept-language"));
        },
      },
      trace: traceOf(request, id),
      startedAt: performance.now(),
    };
    states.set(request, state);
    return state;
  };
}
