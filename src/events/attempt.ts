import { LRUCache } from "lru-cache";
import { type Clock, toInstant } from "../core/clock.ts";
import { Problem } from "../core/errors.ts";
import type { EndpointId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import type { Outcome } from "./outbound/outcome.ts";
import type { Send } from "./outbound/sender.ts";
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

/**
 * Signs a delivery and sends it. Whatever goes wrong with that is the attempt's outcome; it rejects only when the
 * tenant's records can't be used, and then no attempt was made.
 */
export function createAttempts({ clock, send, log }: AttemptOptions): MakeAttempt {
  const opened = new LRUCache<string, string>({ max: secretsKept });

  /** @returns undefined when the secrets can't be read here, now or ever */
  const open = async (tenant: Tenant, endpoint: Claimed["endpoint"]): Promise<SigningSecrets | undefined> => {
    const { primarySecret, secondarySecret, secondaryUntil } = endpoint;
    const sealed = [primarySecret, ...(secondarySecret === null ? [] : [secondarySecret])];
    const key = sealed.every((text) => opened.has(text)) ? undefined : await dataKeyOf(tenant);
    const secretOf = (text: string): string | undefined => {
      const secret = opened.get(text) ?? (key && unsealed(key, endpoint.id, text));
      if (secret !== undefined) opened.set(text, secret);
      return secret;
    };
    const primary = secretOf(primarySecret);
    if (primary === undefined) return undefined;
    if (secondarySecret === null || secondaryUntil === null) return { primary };
    const secret = secretOf(secondarySecret);
    return secret === undefined ? undefined : { primary, secondary: { secret, until: secondaryUntil } };
  };

  const sent = async ({ id, event, endpoint }: Claimed, secrets: SigningSecrets): Promise<Outcome> => {
    const body = envelope(event);
    const headers = deliveryHeaders(body, { deliveryId: id, secrets, now: toInstant(clock.now()) });
    return send({ url: endpoint.url, headers, body });
  };

  return async (tenant, delivery) => {
    const startedAt = toInstant(clock.now());
    const secrets = await open(tenant, delivery.endpoint);
    const outcome: Outcome =
      secrets === undefined
        ? { ...unsent, errorClass: "secret" }
        : await sent(delivery, secrets).catch((err: unknown) => {
            log.error({ organization_id: tenant.id, delivery_id: delivery.id, err }, "A delivery went wrong here.");
            return { ...unsent, errorClass: "connect" };
          });
    return { delivery, url: delivery.endpoint.url, startedAt, endedAt: toInstant(clock.now()), outcome };
  };
}

/** @returns undefined when another installation has it. @throws when the records can't be used */
const dataKeyOf = (tenant: Tenant): Promise<Buffer | undefined> =>
  tenant.dataKey().catch((error: unknown) => {
    if (error instanceof Problem && error.code === "CONFLICT") return undefined;
    throw error;
  });

/** @returns undefined when it was sealed under another key, or for another endpoint */
function unsealed(dataKey: Buffer, endpointId: EndpointId, sealed: string): string | undefined {
  try {
    return openSecret(dataKey, endpointId, sealed);
  } catch {
    return undefined;
  }
}
