/**
 * `Idempotency-Key`: a POST that a client repeats, because it did not receive the response, is carried out once. Verbs are
 * not involved: their first write also records the key, in the same transaction, and the final response is stored. A
 * repeat gets that response, or a 409 if it was not stored.
 */
import { type ApiKeyActor, authorize, type MemberActor, type UserActor } from "../core/actor.ts";
import { type Clock, hasPassed, seconds } from "../core/clock.ts";
import { hmac, sha256 } from "../core/crypto.ts";
import { conflict, Problem } from "../core/errors.ts";
import type { Permission } from "../core/permissions.ts";
import type { Context } from "../storage/context.ts";
import type { Kind, Store, Tenant } from "../storage/store.ts";
import type { UsedKey, UsedKeys } from "../storage/used-keys.ts";
import { describeError } from "./error-log.ts";
import type { Arrival } from "./gate.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { jsonText } from "./json-text.ts";
import type { Log } from "./request-log.ts";
import type { KeyedRequest, StateOf } from "./request-state.ts";
import { withWrites } from "./with-writes.ts";

export interface IdempotencyOptions {
  stateOf: StateOf;
  clock: Clock;
  log: Log;
  usedKeys: UsedKeys;
  /** Whether other processes use the databases: then a request without a response may still be in progress there. */
  isShared: boolean;
  /** The HMAC key for hashes of bodies. A plain hash would allow guessing a password in the body. */
  bodyKey: Buffer;
  /** Returns whether a response of the route has a secret. Such a response is not stored. */
  showsSecret(method: string, route: string): boolean | undefined;
}

/** Milliseconds for which a request that another process has carried out may still store its response. */
const longestElsewhere = seconds(10);

type Caller = UserActor | MemberActor | ApiKeyActor;

/** The context of routes whose POSTs take the header. */
type OfCaller = Context<Caller> & { readonly tenant?: Tenant };

const reused = () =>
  new Problem("IDEMPOTENCY_KEY_REUSED", "This `Idempotency-Key` was used with another body. Send a new key.");
const running = () =>
  conflict(
    "request_in_progress",
    "The first request with this `Idempotency-Key` is in progress. Retry when it has finished.",
  );
const responseShownOnce = () =>
  conflict(
    "answer_shown_once",
    "This request was already carried out. Its response had a secret, which is shown only once.",
  );
const responseLost = () =>
  conflict("answer_lost", "This request was already carried out. Its response was lost and can't be repeated.");

export function createIdempotency({
  stateOf,
  clock,
  log,
  usedKeys,
  isShared,
  bodyKey,
  showsSecret,
}: IdempotencyOptions) {
  /** Requests in progress in this process: the hashes of their bodies, and the earlier records of their keys. */
  const inProgress = new Map<string, { bodyHash: string; known: Promise<UsedKey | undefined> }>();

  /** Returns the write of a database, whose first one also records the key. */
  const recording =
    (keyed: KeyedRequest) =>
    <K extends Kind>(store: Store<K>): Store<K>["write"] =>
    async (body) => {
      if (keyed.recordedIn) return store.write(body);
      keyed.recordedIn = store;
      try {
        return await store.write(async (tx) => {
          if (!(await usedKeys.claim(tx, keyed.use))) throw running();
          return body(tx);
        });
      } catch (error) {
        keyed.recordedIn = undefined;
        throw error;
      }
    };

  /** Between its commit and its response, a request takes two trips to the database. */
  const mayBeElsewhere = ({ usedAt }: UsedKey) =>
    isShared && !hasPassed(longestElsewhere, { since: new Date(usedAt), now: clock.now() });

  const find = async ({ control, tenant }: OfCaller, id: string): Promise<UsedKey | undefined> =>
    (tenant && (await usedKeys.find(tenant, id, clock.now()))) ?? usedKeys.find(control, id, clock.now());

  return {
    /**
     * Checks the key of an authenticated request, after its body is read.
     *
     * @returns the context, whose databases record the key
     * @throws BAD_REQUEST the key is not valid
     * @throws IDEMPOTENCY_KEY_REUSED the key was used with another body
     * @throws FORBIDDEN the caller has lost a permission that the first request used
     * @throws CONFLICT the first request is in progress, or its response was not stored
     */
    async begin<C extends OfCaller>({ request, params, route, body }: Arrival, context: C): Promise<C> {
      if (request.method !== "POST") return context;
      const key = idempotencyKey(request.headers);
      if (key === undefined) return context;

      const { actor } = context;
      const callerId = actor.kind === "api_key" ? actor.keyId : actor.userId;
      const id = sha256(JSON.stringify([callerId, route, params, key]));
      const bodyHash = hmac(bodyKey, canonicalJson([new URL(request.url).search, body ?? null])).toString("hex");
      const other = inProgress.get(id);
      if (other !== undefined) {
        // The key belongs to the request that was carried out with it, or else to the one in progress.
        const first = (await other.known) ?? other;
        throw first.bodyHash === bodyHash ? running() : reused();
      }
      const keyed: KeyedRequest = {
        use: { id, bodyHash },
        permissions: new Set(),
        storesResponse: !showsSecret(request.method, route),
        recordedIn: undefined,
        replay: undefined,
      };
      const known = find(context, id);
      inProgress.set(id, { bodyHash, known });
      stateOf(request).keyed = keyed;

      const used = await known;
      if (used === undefined) {
        return withWrites({ ...context, actor: notingPermissions(actor, keyed.permissions) }, recording(keyed));
      }
      if (used.bodyHash !== bodyHash) throw reused();
      if (!used.response && keyed.storesResponse && mayBeElsewhere(used)) throw running();
      if (!used.response) throw keyed.storesResponse ? responseLost() : responseShownOnce();
      for (const permission of used.response.permissions) authorize(actor, permission);
      keyed.replay = used.response;
      return context;
    },

    /** Returns the stored response instead of the handler's, if the request is a repeat. */
    replay({ request, set }: Pick<Arrival, "request" | "set">): Response | undefined {
      const stored = stateOf(request).keyed?.replay;
      if (stored === undefined) return undefined;
      set.status = stored.status;
      set.headers["idempotency-replayed"] = "true";
      if (stored.location !== undefined) set.headers.location = stored.location;
      return jsonText(stored.body);
    },

    /** Stores the final response, or releases the key after a refusal. In both cases the request is no longer in progress. */
    async end(request: Request, answer: Response | Promise<Response>): Promise<Response> {
      try {
        const response = await answer;
        const { keyed } = stateOf(request);
        if (keyed?.recordedIn) await storeOutcome(keyed, keyed.recordedIn, response);
        return response;
      } finally {
        const { keyed } = stateOf(request);
        if (keyed) inProgress.delete(keyed.use.id);
      }
    },
  };

  /** Logs its errors. The key is recorded, so a repeat is not carried out twice, and this response is sent. */
  async function storeOutcome(
    { use: { id }, permissions, storesResponse }: KeyedRequest,
    store: Store,
    response: Response,
  ): Promise<void> {
    const { status } = response;
    const location = response.headers.get("location");
    try {
      // A verb may write before it refuses a request. The client may repeat it with the same key.
      if (status >= 400 && status < 500) await usedKeys.release(store, id);
      if (storesResponse && response.ok)
        await usedKeys.storeResponse(store, id, {
          status,
          body: await response.clone().text(),
          permissions: [...permissions],
          ...(location !== null && { location }),
        });
    } catch (error) {
      log.error({ error: describeError(error) }, "The response for an Idempotency-Key could not be stored.");
    }
  }
}

/** Returns the actor, whose permissions are noted in `used` when a check asks for one that the actor holds. */
function notingPermissions<A extends Caller>(actor: A, used: Set<Permission>): A {
  return "permissions" in actor ? { ...actor, permissions: new NotingSet(actor.permissions, used) } : actor;
}

class NotingSet extends Set<Permission> {
  readonly #used: Set<Permission>;

  constructor(held: Iterable<Permission>, used: Set<Permission>) {
    super(held);
    this.#used = used;
  }

  override has(permission: Permission): boolean {
    const held = super.has(permission);
    if (held) this.#used.add(permission);
    return held;
  }
}

/** Returns JSON text that is equal for equal values: it does not depend on the order of an object's fields. */
const canonicalJson = (value: unknown): string => JSON.stringify(value, sorted);

const sorted = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
