import { LRUCache } from "lru-cache";
import { type Clock, toInstant } from "../core/clock.ts";
import type { Tenant } from "../storage/store.ts";
import type { Outcome, Send } from "./outbound/sender.ts";
import type { Claimed } from "./outbox.ts";
import type { Attempt } from "./record-attempts.ts";
import { deliveryHeaders, envelope, openSecret, type SigningSecrets } from "./signing.ts";

interface AttemptOptions {
  clock: Clock;
  send: Send;
  log: { error(details: Record<string, unknown>, message: string): void };
}

export type MakeAttempt = (tenant: Tenant, delivery: Claimed) => Promise<Attempt>;

const secretsKept = 1000;
const unsent = { status: null, headers: null, body: null, durationMs: 0 };

/** Signs a delivery and sends it once. Whatever goes wrong is the attempt's outcome: the function never rejects. */
export function createAttempts({ clock, send, log }: AttemptOptions): MakeAttempt {
  const opened = new LRUCache<string, string>({ max: secretsKept });

  const open = async (tenant: Tenant, endpoint: Claimed["endpoint"]): Promise<SigningSecrets> => {
    const secretOf = async (sealed: string): Promise<string> => {
      const known = opened.get(sealed);
      if (known !== undefined) return known;
      const secret = openSecret(await tenant.dataKey(), endpoint.id, sealed);
      opened.set(sealed, secret);
      return secret;
    };
    const primary = await secretOf(endpoint.primarySecret);
    const { secondarySecret, secondaryUntil } = endpoint;
    if (secondarySecret === null || secondaryUntil === null) return { primary };
    return { primary, secondary: { secret: await secretOf(secondarySecret), until: secondaryUntil } };
  };

  const outcomeOf = async (tenant: Tenant, { id, event, endpoint }: Claimed): Promise<Outcome> => {
    const secrets = await open(tenant, endpoint).catch(() => undefined);
    if (secrets === undefined) return { ...unsent, errorClass: "secret" };
    const body = envelope(event);
    const headers = deliveryHeaders(body, { deliveryId: id, secrets, now: toInstant(clock.now()) });
    return send({ url: endpoint.url, headers, body });
  };

  return async (tenant, delivery) => {
    const startedAt = toInstant(clock.now());
    const outcome = await outcomeOf(tenant, delivery).catch((err: unknown): Outcome => {
      log.error({ organization_id: tenant.id, delivery_id: delivery.id, err }, "A delivery went wrong here.");
      return { ...unsent, errorClass: "connect" };
    });
    return { delivery, startedAt, endedAt: toInstant(clock.now()), outcome };
  };
}
