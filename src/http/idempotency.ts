/**
 * `Idempotency-Key`: a POST that a client sends again, because it never saw the answer, is done once. The verb knows
 * nothing of it: the first write that it makes notes the key as well, in the same transaction, and the answer is kept
 * when it is known. A repeat gets that answer, or is told that there is none to give.
 */
import type { UserActor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { hmac, sha256 } from "../core/crypto.ts";
import { conflict, Problem } from "../core/errors.ts";
import type { Context } from "../storage/context.ts";
import type { Kind, Store, Tenant, Tx } from "../storage/store.ts";
import type { KeptAnswer, KeyUse, UsedKey, UsedKeys } from "../storage/used-keys.ts";
import { canonicalJson } from "./canonical-json.ts";
import { describeError } from "./error-log.ts";
import type { Arrival } from "./gate.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { jsonText } from "./json-text.ts";
import type { Log } from "./request-log.ts";
import type { StateOf } from "./request-state.ts";

export interface IdempotencyOptions {
  stateOf: StateOf;
  clock: Clock;
  log: Log;
  usedKeys: UsedKeys;
  /** Bodies are told apart by an HMAC under this key: a plain hash of one with a password in it could be guessed at. */
  bodyKey: Buffer;
  /** Whether an answer of the route carries a secret, which is not kept. */
  showsSecret(method: string, route: string): boolean;
}

/** A request with a key, from the door to the answer. */
export interface Attempt {
  use: KeyUse;
  /** Whether its answer is kept. */
  keeps: boolean;
  /** Where it was noted that it was carried out, once it was. */
  noted: Store | undefined;
  /** The answer of the one that it repeats, if it does. */
  replay: KeptAnswer | undefined;
}

/** What the contexts of session routes have in common. */
type OfUser = Context<UserActor> & { readonly tenant?: Tenant };

const reused = () => new Problem("IDEMPOTENCY_KEY_REUSED", "This `Idempotency-Key` came with another body before.");
const running = () =>
  conflict(
    "request_in_progress",
    "The first request with this `Idempotency-Key` is in progress. Retry when it has finished.",
  );
const doneInSecret = () =>
  conflict(
    "answer_shown_once",
    "This request was carried out already. Its answer carried a secret, which is shown only once.",
  );
const doneAndLost = () =>
  conflict("answer_lost", "This request was carried out already. Its answer was lost and can't be repeated.");

export function createIdempotency({ stateOf, clock, log, usedKeys, bodyKey, showsSecret }: IdempotencyOptions) {
  /** Requests under way in this process: their bodies' hashes, and what was known of their keys before. */
  const underWay = new Map<string, { bodyHash: string; known: Promise<UsedKey | undefined> }>();

  /** The same database, whose first write also notes the key. */
  const noting = <K extends Kind>(store: Store<K>, attempt: Attempt): Store<K> => ({
    read: (query) => store.read(query),
    async write<T>(body: (tx: Tx<K>) => Promise<T>): Promise<T> {
      if (attempt.noted) return store.write(body);
      attempt.noted = store;
      try {
        return await store.write(async (tx) => {
          if (!(await usedKeys.claim(tx, attempt.use))) throw running();
          return body(tx);
        });
      } catch (error) {
        attempt.noted = undefined;
        throw error;
      }
    },
  });

  const notingTenant = (tenant: Tenant, attempt: Attempt): Tenant => ({
    ...noting(tenant, attempt),
    id: tenant.id,
    dataKey: () => tenant.dataKey(),
    readBody: (question, query) => tenant.readBody(question, query),
  });

  const find = async ({ control, tenant }: OfUser, id: string): Promise<UsedKey | undefined> =>
    (tenant && (await usedKeys.find(tenant, id, clock.now()))) ?? usedKeys.find(control, id, clock.now());

  return {
    /**
     * Looks at the key of a request that was let in and whose body is there.
     *
     * @returns the context to carry it out with
     * @throws BAD_REQUEST no key
     * @throws IDEMPOTENCY_KEY_REUSED it came with another body
     * @throws CONFLICT the first with this key is under way, or left no answer to repeat
     */
    async begin<C extends OfUser>({ request, params, route, body }: Arrival, context: C): Promise<C> {
      if (request.method !== "POST") return context;
      const key = idempotencyKey(request.headers);
      if (key === undefined) return context;

      const { userId } = context.actor;
      const id = sha256(JSON.stringify([userId, route, params, key]));
      const bodyHash = hmac(bodyKey, canonicalJson([new URL(request.url).search, body ?? null])).toString("hex");
      const other = underWay.get(id);
      if (other !== undefined) {
        // The key belongs to the request that was carried out with it, else to the one under way.
        const first = (await other.known) ?? other;
        throw first.bodyHash === bodyHash ? running() : reused();
      }
      const use = { id, userId, bodyHash };
      const attempt: Attempt = {
        use,
        keeps: !showsSecret(request.method, route),
        noted: undefined,
        replay: undefined,
      };
      const known = find(context, id);
      underWay.set(id, { bodyHash, known });
      stateOf(request).attempt = attempt;

      const used = await known;
      if (used === undefined) {
        const { control, tenant } = context;
        return {
          ...context,
          control: noting(control, attempt),
          ...(tenant && { tenant: notingTenant(tenant, attempt) }),
        };
      }
      if (used.bodyHash !== bodyHash) throw reused();
      if (!used.answer) throw attempt.keeps ? doneAndLost() : doneInSecret();
      attempt.replay = used.answer;
      return context;
    },

    /** The kept answer, in place of the handler's, if the request is a repeat. */
    replay({ request, set }: Pick<Arrival, "request" | "set">): Response | undefined {
      const kept = stateOf(request).attempt?.replay;
      if (kept === undefined) return undefined;
      set.status = kept.status;
      set.headers["idempotency-replayed"] = "true";
      return jsonText(kept.body);
    },

    /** Keeps the answer, or frees the key if it is a refusal; whatever it is, the request is no longer under way. */
    async end(request: Request, answer: Response | Promise<Response>): Promise<Response> {
      try {
        const response = await answer;
        const { attempt } = stateOf(request);
        if (attempt?.noted) await settle(attempt, attempt.noted, response);
        return response;
      } finally {
        const { attempt } = stateOf(request);
        if (attempt) underWay.delete(attempt.use.id);
      }
    },
  };

  /** What fails here changes nothing about the answer: the key is noted, and a repeat does nothing twice. */
  async function settle({ use: { id }, keeps }: Attempt, store: Store, response: Response): Promise<void> {
    const { status } = response;
    try {
      // What is refused after all, though something was noted about the refusal, may be tried again.
      if (status >= 400 && status < 500) await usedKeys.release(store, id);
      if (keeps && response.ok) await usedKeys.keepAnswer(store, id, { status, body: await response.clone().text() });
    } catch (error) {
      log.error({ error: describeError(error) }, "The answer to a request with an Idempotency-Key could not be kept.");
    }
  }
}
