/** Creates the gates for route files: plugins that authenticate a request and give its route a typed context. */
import { isDeepStrictEqual } from "node:util";
import type { Actor, ApiKeyActor, MemberActor, UserActor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { onBehalfOf } from "../core/current-trace.ts";
import { forbidden, notFound, organizationSuspended } from "../core/errors.ts";
import { isId, type OrgId } from "../core/ids.ts";
import type { ReasonFields } from "../core/reason-fields.ts";
import type { Scope } from "../core/scopes.ts";
import type { Spans } from "../core/trace.ts";
import type { ByApiKey, Context, InOrganization, SignedIn } from "../storage/context.ts";
import type { Control, Tenant } from "../storage/store.ts";
import type { UsedKeys } from "../storage/used-keys.ts";
import { bearerToken } from "./bearer-token.ts";
import { bodyLimitsOf } from "./body-limits.ts";
import { byRoute } from "./by-route.ts";
import { clientAddress, isTrustedProxy } from "./client-address.ts";
import { noCredential, noOrganization } from "./error-envelope.ts";
import { conditional } from "./etag.ts";
import { type Arrival, gate } from "./gate.ts";
import { createIdempotency } from "./idempotency.ts";
import { createIfMatch, refuseIfMatch } from "./if-match.ts";
import { isRead } from "./is-read.ts";
import { type Answered, csvColumnsOf, negotiated } from "./list-page.ts";
import { logSample } from "./log-sample.ts";
import { createLimiter, takeOrRefuse } from "./rate-limit.ts";
import type { Log } from "./request-log.ts";
import { type ClientInfo, requestStates, type Served } from "./request-state.ts";
import { requestTraces } from "./request-trace.ts";
import { createRoot } from "./root.ts";
import { showsSecret } from "./shown-once.ts";
import { isServedWhileSuspended } from "./while-suspended.ts";

/** The dependencies of the HTTP layer: authentication of callers, and access to data. */
export interface HttpDeps {
  clock: Clock;
  control: Control;
  /**
   * Returns an organization's data for the actor, who is named in what they write. Writes are refused while the organization is
   * suspended, unless the route is served then.
   */
  tenant(orgId: OrgId, actor: Actor, whileSuspended: boolean): Tenant;
  /** Returns since when the organization is suspended; undefined if it is not. */
  suspension(orgId: OrgId): Promise<ReasonFields["organization_suspended"] | undefined>;
  usedKeys: UsedKeys;
  /** Whether other processes serve the same databases. */
  isShared: boolean;
  /** The HMAC key for bodies of requests with an `Idempotency-Key`. */
  idempotencyKey: Buffer;
  /** Returns the user of an access token; `undefined` if it is expired, revoked or not of this installation. */
  authenticateSession(accessToken: string): Promise<UserActor | undefined>;
  membership(user: UserActor, orgId: OrgId): Promise<MemberActor | undefined>;
  authenticateApiKey(rawKey: string, orgId: OrgId, client: ClientInfo): Promise<ApiKeyActor | undefined>;
  /** Requests a minute for each API key. */
  apiKeyRate: number;
  /** POST, PATCH and DELETE requests a minute for each account. An organization may send five times as many. */
  writeRate: number;
  log: Log;
  /** Called after each response. */
  onServed?: ((served: Served) => void) | undefined;
  /** CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[];
  /** Returns the peer's address, which the runtime recorded. */
  addressOf(request: Request): string | undefined;
  /** Lets a request wait for the next piece of its response longer than the runtime would. */
  keepOpen(request: Request): Disposable | undefined;
  publicUrl: string;
  /** Given if the operator has spans exported. */
  spans?: Spans | undefined;
  /** Whether the `traceparent` of a trusted proxy decides about samples. */
  trustsTraceparent: boolean;
  /** The share of requests that the log has, from 0 to 1. */
  logSample: number;
}

type Named = Pick<Arrival, "request" | "set" | "route">;
type Asked = Pick<Arrival, "request" | "route">;

const noMember = () =>
  forbidden("not_a_member", "The account is not a member of the organization. Name one in `X-Org-Id`.");

export type Http = ReturnType<typeof createHttp>;

export function createHttp(deps: HttpDeps) {
  const { clock, control } = deps;
  const resolveAddress = clientAddress(deps.trustedProxies);
  const isProxy = isTrustedProxy(deps.trustedProxies);
  const stateOf = requestStates({
    clock,
    addressOf: (request) => resolveAddress(deps.addressOf(request), request.headers.get("x-forwarded-for")),
    traceOf: requestTraces({
      spans: deps.spans,
      trusts: (request) => deps.trustsTraceparent && isProxy(deps.addressOf(request)),
    }),
  });
  const root = createRoot({
    log: deps.log,
    onServed: deps.onServed,
    publicUrl: deps.publicUrl,
    stateOf,
    spans: deps.spans,
    sampled: logSample(deps.logSample),
  });
  const routes = () => root.routes;
  const gates = {
    stateOf,
    bodyLimits: byRoute(routes, bodyLimitsOf),
    takesQuery: byRoute(routes, ({ hooks }) => hooks.query !== undefined),
    withBody: async <Granted>({ request }: Arrival, granted: Granted): Promise<Granted> => {
      refuseIfMatch(request);
      return granted;
    },
  };
  const idempotency = createIdempotency({
    stateOf,
    clock,
    log: deps.log,
    usedKeys: deps.usedKeys,
    isShared: deps.isShared,
    bodyKey: deps.idempotencyKey,
    showsSecret: byRoute(routes, showsSecret),
  });
  // Around all hooks and errors: only here is the response final. Elysia's type of `serve` is wrong.
  root.wrap((serve, arrived) => {
    // Only writes emit events. A read would take a few µs more.
    if (isRead(arrived)) return serve;
    const answer = serve as unknown as (request: Request) => Response | Promise<Response>;
    const answerInTrace = (request: Request) => onBehalfOf(stateOf(request).trace, () => answer(request));
    if (!arrived.headers.has("idempotency-key")) return answerInTrace;
    return (request: Request) => idempotency.end(request, answerInTrace(request));
  });
  const ifMatch = createIfMatch({ stateOf, routes, answerTo: async (request) => root.fetch(request) });
  const limiter = createLimiter({ clock, limit: deps.apiKeyRate, windowSeconds: 60 });
  const accountWrites = createLimiter({ clock, limit: deps.writeRate, windowSeconds: 60 });
  const organizationWrites = createLimiter({ clock, limit: 5 * deps.writeRate, windowSeconds: 60 });

  /** Creates the context of an authenticated request. The actor is stored for the log line. */
  const contextFor = <A extends Actor>(request: Request, actor: A): Context<A> => {
    const state = stateOf(request);
    state.actor = actor;
    return { actor, requestId: state.id, clock, control };
  };

  const servedWhileSuspended = byRoute(routes, isServedWhileSuspended);
  const isServedThen = ({ request: { method }, route }: Asked): boolean =>
    servedWhileSuspended(method === "HEAD" ? "GET" : method, route) === true;

  /** @throws FORBIDDEN the organization is suspended */
  const requireServed = async (asked: Asked, orgId: OrgId): Promise<void> => {
    if (isServedThen(asked)) return;
    const suspension = await deps.suspension(orgId);
    if (suspension !== undefined) throw organizationSuspended(suspension);
  };

  /** Returns the caller's membership. Both are looked up at once: on a server, that is one trip. @throws FORBIDDEN as `requireServed` */
  const servedMember = async (asked: Asked, user: UserActor, orgId: OrgId): Promise<MemberActor | undefined> => {
    const [member, suspension] = await Promise.all([
      deps.membership(user, orgId),
      isServedThen(asked) ? undefined : deps.suspension(orgId),
    ]);
    if (member !== undefined && suspension !== undefined) throw organizationSuspended(suspension);
    return member;
  };

  const inTenant = <A extends Actor>(asked: Asked, actor: A, orgId: OrgId) => {
    const { request } = asked;
    stateOf(request).orgId = orgId;
    return { ...contextFor(request, actor), tenant: deps.tenant(orgId, actor, isServedThen(asked)) };
  };

  /** @throws UNAUTHORIZED, RATE_LIMITED */
  const requireUser = async ({ request, set }: Pick<Arrival, "request" | "set">): Promise<UserActor> => {
    const token = bearerToken(request);
    const user = token === undefined ? undefined : await deps.authenticateSession(token);
    if (!user) throw noCredential();
    const state = stateOf(request);
    // Once: a gate may call this again after the body has arrived.
    if (!isRead(request) && !state.isCounted) takeOrRefuse(set, "writes", accountWrites, user.userId);
    state.isCounted = true;
    return user;
  };

  /** For gates that look only sessions and memberships up, which are in the control database. */
  const accessVersion = () => control.changes;

  const open = gate(gates, "open", "open", async ({ request }) => ({
    context: contextFor<Actor>(request, { kind: "anonymous" }),
    client: stateOf(request).client,
  }));

  const withoutData = gate({ ...gates, hasData: false }, "without-data", "open", async () => ({}));

  const maybeSignedIn = gate(gates, "maybe-signed-in", "optional", async ({ request, set }) => {
    const actor = request.headers.has("authorization")
      ? await requireUser({ request, set })
      : ({ kind: "anonymous" } as const);
    return { context: contextFor<UserActor | { kind: "anonymous" }>(request, actor), client: stateOf(request).client };
  });

  /** For gates of routes whose POSTs take an `Idempotency-Key`, and all of whose writes take an `If-Match`. */
  const onceEach = {
    ...gates,
    withBody: async <Granted extends { context: SignedIn | ByApiKey }>(
      arrival: Arrival,
      granted: Granted,
    ): Promise<Granted> => ({
      ...granted,
      context: ifMatch.begin(arrival, await idempotency.begin(arrival, granted.context)),
    }),
    replay: idempotency.replay,
    end: ifMatch.end,
  };

  const columnsOf = byRoute(routes, csvColumnsOf);
  /** For lists. A long one is read in pieces: before each, the caller's access must be what it was at first. */
  const inItsForm =
    (actorNow: (arrival: Arrival) => Promise<Actor>) =>
    // Elysia reads from the text of a hook what it needs.
    ({ request, responseValue, set, route, params }: Answered & Pick<Arrival, "params">) => {
      stateOf(request).isRevalidated = true;
      return negotiated(
        { request, responseValue, set, route },
        {
          columnsOf,
          async checkAccess() {
            const actor = await actorNow({ request, set, route, params });
            if (!isDeepStrictEqual(actor, stateOf(request).actor)) throw noCredential();
          },
          keepOpen: () => deps.keepOpen(request),
        },
      );
    };

  const signedIn = gate({ ...onceEach, accessVersion }, "signed-in", "user", async ({ request, set }) => {
    const context: SignedIn = contextFor(request, await requireUser({ request, set }));
    return { context, client: stateOf(request).client };
  }).onAfterHandle({ as: "scoped" }, inItsForm(requireUser));

  const requireMember = async ({ request, params: { orgId }, set, route }: Arrival): Promise<MemberActor> => {
    const user = await requireUser({ request, set });
    // The same 404 for an invalid id, an unknown organization and a non-member: it does not reveal which one applies.
    const member =
      orgId !== undefined && isId<"organization">(orgId)
        ? await servedMember({ request, route }, user, orgId)
        : undefined;
    if (!member) throw notFound();
    return member;
  };

  const session = gate({ ...onceEach, accessVersion }, "session", "organization", async (arrival) => {
    const { request, set } = arrival;
    const isCounted = stateOf(request).isCounted === true;
    const member = await requireMember(arrival);
    if (!isRead(request) && !isCounted) takeOrRefuse(set, "organization-writes", organizationWrites, member.orgId);
    const context: InOrganization = inTenant(arrival, member, member.orgId);
    return { context, client: stateOf(request).client };
  }).onAfterHandle({ as: "scoped" }, inItsForm(requireMember));

  /** A member of the organization that `X-Org-Id` names, or else of the session's own. */
  const memberOrUser = async ({ request, set, route }: Named): Promise<MemberActor | UserActor> => {
    const user = await requireUser({ request, set });
    const orgId = request.headers.get("x-org-id")?.toLowerCase() ?? user.defaultOrgId;
    if (orgId === undefined || orgId === null) return user;
    const member = isId<"organization">(orgId) ? await servedMember({ request, route }, user, orgId) : undefined;
    if (!member) throw noMember();
    return member;
  };

  const requireNamed = async (arrival: Named): Promise<MemberActor> => {
    const actor = await memberOrUser(arrival);
    if (!("orgId" in actor)) throw noMember();
    return actor;
  };

  const namedOrganization = gate(gates, "named-organization", "named-organization", async ({ request, set, route }) => {
    const member = await requireNamed({ request, set, route });
    return { context: inTenant({ request, route }, member, member.orgId), client: stateOf(request).client };
  }).onAfterHandle({ as: "scoped" }, inItsForm(requireNamed));

  const comparing = {
    ...gates,
    withBody: async <Granted extends { context: Context }>(arrival: Arrival, granted: Granted): Promise<Granted> => ({
      ...granted,
      context: ifMatch.begin(arrival, granted.context),
    }),
    end: ifMatch.end,
  };

  const userOrMember = gate(comparing, "user-or-member", "user-or-member", async ({ request, set, route }) => {
    const actor = await memberOrUser({ request, set, route });
    if ("orgId" in actor) stateOf(request).orgId = actor.orgId;
    return { context: contextFor<MemberActor | UserActor>(request, actor), client: stateOf(request).client };
  }).onAfterHandle({ as: "scoped" }, inItsForm(memberOrUser));

  const apiKey = (scope: Scope) =>
    gate(onceEach, `api-key:${scope}`, { scope }, async ({ request, set, route }) => {
      const { client } = stateOf(request);
      const key = bearerToken(request);
      // Programs may send a UUID in upper case (RFC 9562, 4). Ids are stored in lower case.
      const orgId = (request.headers.get("x-org-id") ?? "").toLowerCase();
      if (key !== undefined && orgId === "") throw noOrganization();
      const actor =
        key !== undefined && isId<"organization">(orgId)
          ? await deps.authenticateApiKey(key, orgId, client)
          : undefined;
      if (!actor) throw noCredential();
      const context: ByApiKey = inTenant({ request, route }, actor, actor.orgId);
      if (!stateOf(request).isInner) takeOrRefuse(set, "api-key", limiter, actor.keyId);
      await requireServed({ request, route }, actor.orgId);
      if (!actor.scopes.has(scope))
        throw forbidden("scope_missing", `The API key lacks the scope ${scope}.`, { scope });
      return { context, client };
    }).onAfterHandle({ as: "scoped" }, ({ request, responseValue, set }) =>
      conditional({ request, responseValue, set }),
    );

  return {
    /** The application that uses the routes: request ids, error envelope, security headers, request log. */
    root,
    /** For routes without a credential. */
    open,
    /** As `open`, for routes that use no database, and so get none. */
    withoutData,
    /** Anonymous without an `Authorization` header, signed in with a valid one, 401 with an invalid one. */
    maybeSignedIn,
    /** 401 without a valid session. POSTs take an `Idempotency-Key`. */
    signedIn,
    /** For routes under `/orgs/:orgId`: 401 without a valid session, 404 unless the caller is a member, 403 while it is suspended (`while-suspended.ts`). POSTs as above. */
    session,
    /** For GETs about the organization in `X-Org-Id`, or else the session's: 401 without a valid session, 403 unless the caller is a member. */
    namedOrganization,
    /** As `namedOrganization`, and for accounts without an organization. Not for POSTs. */
    userOrMember,
    /** For the public API: 401 without a valid key of the organization, 429 over its rate, 403 without the scope. GETs have an `ETag`, POSTs take an `Idempotency-Key`. */
    apiKey,
  };
}
