/** A small application that uses every plugin of the HTTP layer, for its tests. */
import { Elysia } from "elysia";
import { z } from "zod";
import type { MemberActor, UserActor } from "../../src/core/actor.ts";
import type { Clock } from "../../src/core/clock.ts";
import { encodeCursor } from "../../src/core/cursor.ts";
import { conflict, Problem } from "../../src/core/errors.ts";
import { type ApiKeyId, newId, type OrgId, type SessionId, type UserId } from "../../src/core/ids.ts";
import { createdBelow } from "../../src/http/created.ts";
import { email, idOf, instantField, text } from "../../src/http/fields.ts";
import { createHttp, type Http, type HttpDeps } from "../../src/http/http.ts";
import { throwInvalidInput } from "../../src/http/input.ts";
import { jsonText } from "../../src/http/json-text.ts";
import { ListPage } from "../../src/http/list-page.ts";
import { fromAndTo, oneOf, paging, period } from "../../src/http/query.ts";
import { createLog } from "../../src/http/request-log.ts";
import { data, page, responses, textResponse } from "../../src/http/responses.ts";
import { plainText } from "../../src/http/text-response.ts";
import type { Control, Tenant } from "../../src/storage/store.ts";
import { reachLater } from "../support/reach.ts";

export const GLIDER_SCOPE = "public.fleet:read";
export const TOKEN = "good-token";
export const KEY = "svc_pk_good";
export const KEY_WITHOUT_SCOPE = "svc_pk_poor";

const Glider = z
  .strictObject({ id: idOf<"aircraft">(), name: text(80), owner: email })
  .meta({ id: "Glider", description: "An aircraft without an engine." });
const GliderRef = z.object({ gliderId: idOf<"aircraft">() });
const NewGlider = z
  .strictObject({
    name: text(80),
    owner: email,
    built_at: instantField.optional(),
    crew: z.array(z.strictObject({ person_id: idOf<"person">() })).optional(),
  })
  .meta({ id: "NewGlider" });

/** The arguments of the handlers, and of the gates' lookups. */
export interface Toy {
  handled: unknown[];
  sessionChecks: string[];
  /** The writes of the control database, and whether each session check is followed by another. */
  writes: number;
  isWritten: boolean;
  /** Called before the second page of the list of gliders. */
  beforeNextPage: () => Promise<void>;
  keyChecks: string[];
  membershipChecks: string[];
  logLines: Record<string, unknown>[];
}

/** A page of one glider. */
const gliderPage = (next_cursor: string | null) => {
  const row = { id: "01890a5d-ac96-774b-bcce-b302099a8057", name: "Ka 8", owner: "ada@example.com" };
  const page = { limit: 1, offset: 0, total: null, has_more: next_cursor !== null, next_cursor };
  return Buffer.from(JSON.stringify({ data: [row], page: page }));
};

const gliderRoutes = ({ session }: Http, toy: Toy) =>
  new Elysia({ name: "gliders", prefix: "/orgs/:orgId/gliders", tags: ["Gliders"] })
    .use(session)
    .get(
      "/",
      () =>
        new ListPage(gliderPage(encodeCursor(["Ka 8"])), async () => {
          await toy.beforeNextPage();
          return gliderPage(null);
        }),
      {
        response: responses({ 200: page(Glider) }, 401, 404),
        detail: { summary: "List the gliders", description: "Two pages of one glider." },
      },
    )
    .get(
      "/:gliderId",
      ({ context, params }) => {
        // Compiles only if the handler's context has the gate's types.
        const actor: MemberActor = context.actor;
        const orgId: OrgId = context.tenant.id;
        toy.handled.push({ actor: actor.userId, orgId, requestId: context.requestId });
        return { data: { id: params.gliderId, name: "Ka 8", owner: "ada@example.com" } };
      },
      {
        params: GliderRef,
        response: responses({ 200: data(Glider) }, 401, 404),
        detail: { summary: "Get a glider", description: "One glider of the organization." },
      },
    )
    .post(
      "/",
      ({ body, context, request, set }) => {
        toy.handled.push(body);
        const glider = { id: newId<"aircraft">(context.clock), name: body.name, owner: body.owner };
        createdBelow(request, set, glider);
        return { data: glider };
      },
      {
        body: NewGlider,
        response: responses({ 201: data(Glider) }, 400, 401, 404),
        detail: { summary: "Add a glider", description: "Adds a glider to the fleet." },
      },
    )
    .post(
      "/:gliderId/launch",
      ({ body }) => {
        toy.handled.push({ launched: body });
        return { data: { launched: true } };
      },
      {
        params: GliderRef,
        response: responses({ 200: data(z.strictObject({ launched: z.boolean() })) }, 401, 404),
        detail: { summary: "Launch a glider", description: "Takes no body." },
      },
    );

const accountRoutes = ({ open, signedIn, maybeSignedIn }: Http, toy: Toy) =>
  new Elysia({ name: "toy-accounts", tags: ["Accounts"] })
    .use(
      new Elysia({ name: "me" }).use(signedIn).get(
        "/me",
        ({ context }) => {
          const actor: UserActor = context.actor;
          return { data: { user_id: actor.userId } };
        },
        {
          response: responses({ 200: data(z.strictObject({ user_id: idOf<"user">() })) }, 401),
          detail: { summary: "Who am I", description: "The account of the token." },
        },
      ),
    )
    .use(
      new Elysia({ name: "claim" })
        .use(maybeSignedIn)
        .post("/claim", ({ context, body }) => ({ data: { kind: context.actor.kind, body: body?.note ?? null } }), {
          body: z.strictObject({ note: text(20) }).optional(),
          response: responses(
            { 200: data(z.strictObject({ kind: oneOf("user", "anonymous"), body: z.string().nullable() })) },
            400,
            401,
          ),
          detail: { summary: "Claim", description: "With or without a session." },
        }),
    )
    .use(
      new Elysia({ name: "gates" })
        .use(open)
        .get("/health", () => plainText("ok"), {
          response: responses({ 200: textResponse("text/plain") }),
          detail: { summary: "Health", description: "Whether the server answers." },
        })
        .post(
          "/echo",
          ({ body, client }) => {
            toy.handled.push(body);
            return { data: { address: client.address } };
          },
          {
            body: z.strictObject({ password: z.string().min(8), extra: z.record(z.string(), z.unknown()).optional() }),
            response: responses({ 200: data(z.strictObject({ address: z.string() })) }, 400),
            detail: { summary: "Echo", description: "Answers with the address." },
          },
        )
        .get("/broken/:how", ({ params }) => breakDown(params.how), {
          params: z.object({ how: oneOf("error", "response", "conflict", "busy", "unavailable", "drizzle") }),
          response: responses({ 200: data(z.strictObject({ fine: z.boolean() })) }, 404, "wrong_status"),
          detail: { summary: "Break", description: "Fails in the way asked for.", hide: true },
        }),
    );

function breakDown(how: string): { data: { fine: boolean } } {
  if (how === "conflict") throw conflict("wrong_status", "The glider is airborne.", { status: "airborne" });
  if (how === "busy") throw new Problem("RATE_LIMITED", "Too many.", { retryAfter: 1.2 });
  if (how === "unavailable") throw new Problem("TENANT_UNAVAILABLE", "Not now.", { cause: new Error("disk I/O") });
  if (how === "response") return JSON.parse('{"data":{"fine":"secret-payload"}}');
  if (how === "drizzle") {
    class DrizzleQueryError extends Error {}
    throw new DrizzleQueryError("Failed query: insert … params: secret-parameter", { cause: new Error("SQLITE_BUSY") });
  }
  throw new Error("the secret plan");
}

const publicRoutes = ({ apiKey }: Http) =>
  new Elysia({ name: "toy-public", prefix: "/api/v1/public", tags: ["Public API"] }).use(apiKey(GLIDER_SCOPE)).get(
    "/gliders",
    ({ query, context }) =>
      jsonText(
        JSON.stringify({
          data: [{ id: newId(context.clock), name: "ASK 21", owner: "ada@example.com" }],
          page: { limit: query.limit, offset: query.offset, has_more: false, next_cursor: null },
        }),
      ),
    {
      query: period(z.strictObject({ ...paging, ...fromAndTo, status: oneOf("flying", "parked").optional() })),
      response: responses({ 200: page(Glider) }, 400, 401),
      detail: { summary: "List gliders", description: "The gliders of the key's organization." },
    },
  );

/** A clock that only a test moves. */
export function movableClock(start = "2025-06-14T08:30:00.000Z") {
  let now = Date.parse(start);
  return {
    now: () => new Date(now),
    advance(milliseconds: number) {
      now += milliseconds;
    },
  };
}

export function toyApp(overrides: Partial<HttpDeps> & { clock: Clock }) {
  const { clock } = overrides;
  const toy: Toy = {
    ...{ handled: [], sessionChecks: [], keyChecks: [], membershipChecks: [], logLines: [] },
    ...{ writes: 0, isWritten: false, beforeNextPage: async () => undefined },
  };
  const orgId: OrgId = newId(clock);
  const user: UserActor = {
    kind: "user",
    userId: newId<"user">(clock) satisfies UserId,
    sessionId: newId<"session">(clock) satisfies SessionId,
    email: "ada@example.com",
    name: "Ada",
  };
  const keyId: ApiKeyId = newId(clock);
  const nothing = () => {
    throw new Error("The toy has no database.");
  };
  const control: Control = {
    read: nothing,
    write: nothing,
    get changes() {
      return toy.writes;
    },
  };
  const http = createHttp({
    control,
    tenant: (id): Tenant => ({ id, read: nothing, write: nothing, readBody: nothing, dataKey: nothing }),
    idempotencyKey: Buffer.alloc(32),
    usedKeys: { find: nothing, claim: nothing, storeResponse: nothing, release: nothing },
    isShared: false,
    async authenticateSession(token) {
      toy.sessionChecks.push(token);
      if (toy.isWritten) toy.writes += 1;
      return token === TOKEN ? user : undefined;
    },
    suspension: async () => undefined,
    async membership(member, id) {
      toy.membershipChecks.push(id);
      return id === orgId ? { ...member, orgId, permissions: new Set() } : undefined;
    },
    async authenticateApiKey(key, id) {
      toy.keyChecks.push(key);
      if (id !== orgId || (key !== KEY && key !== KEY_WITHOUT_SCOPE)) return undefined;
      return { kind: "api_key", keyId, orgId, scopes: new Set(key === KEY ? [GLIDER_SCOPE] : []) };
    },
    apiKeyRate: 600,
    writeRate: 1200,
    log: createLog("info", { write: (line) => void toy.logLines.push(JSON.parse(line)) }),
    trustedProxies: [],
    addressOf: () => undefined,
    keepOpen: () => undefined,
    publicUrl: "http://localhost:3000",
    trustsTraceparent: false,
    logSample: 1,
    ...overrides,
  });
  const app = http.root.use(gliderRoutes(http, toy)).use(accountRoutes(http, toy)).use(publicRoutes(http));
  throwInvalidInput(app.routes);
  reachLater(app);
  return { app, http, toy, orgId, user };
}
