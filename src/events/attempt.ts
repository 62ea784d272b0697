import { LRUCache } from "lru-cache";
import { type Clock, type Instant, toInstant } from "../core/clock.ts";
import { Problem } from "../core/errors.ts";
import type { EndpointId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import { type CustomHeaders, masked, openHeaders } from "./custom-headers.ts";
import type { Outcome } from "./outbound/outcome.ts";
import type { Send } from "./outbound/sender.ts";
import type { Claimed } from "./outbox.ts";
import { deliveryHeaders, envelope, type SigningSecrets } from "./signing.ts";
import { openSecret } from "./signing-secrets.ts";

interface AttemptOptions {
  clock: Clock;
  send: Send;
  log: { error(details: Record<string, unknown>, message: string): void };
}

/** How one attempt ended. */
export interface Attempt {
  delivery: Pick<Claimed, "id" | "endpointId" | "attempt" | "leaseToken">;
  /** Where it went. */
  url: string;
  startedAt: Instant;
  endedAt: Instant;
  outcome: Outcome;
  /** What was sent, values of the endpoint's own headers masked; null when nothing was. */
  requestHeaders: Readonly<Record<string, string>> | null;
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
  const openedHeaders = new LRUCache<string, CustomHeaders>({ max: secretsKept });

  /** @returns undefined when the secrets can't be read here, now or ever */
  const open = async (tenant: Tenant, endpoint: Claimed["endpoint"]): Promise<SigningSecrets | undefined> => {
    const {
      primary_secret: primarySecret,
      secondary_secret: secondarySecret,
      secondary_until: secondaryUntil,
    } = endpoint;
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

  /** @returns undefined when they can't be read here */
  const headersOf = async (
    tenant: Tenant,
    { id, headers }: Claimed["endpoint"],
  ): Promise<CustomHeaders | undefined> => {
    if (headers === null) return {};
    const known = openedHeaders.get(headers);
    if (known !== undefined) return known;
    const key = await dataKeyOf(tenant);
    const read = key && attempted(() => openHeaders(key, id, headers));
    if (read !== undefined) openedHeaders.set(headers, read);
    return read;
  };

  const sent = async (
    tenant: Tenant,
    { id, event, endpoint }: Claimed,
  ): Promise<Pick<Attempt, "outcome" | "requestHeaders">> => {
    const secrets = await open(tenant, endpoint);
    const custom = await headersOf(tenant, endpoint);
    if (secrets === undefined || custom === undefined)
      return { outcome: { ...unsent, errorClass: "secret" }, requestHeaders: null };
    const body = envelope(event);
    const own = deliveryHeaders(body, { deliveryId: id, secrets, now: toInstant(clock.now()) });
    const post = async () => send({ url: endpoint.url, headers: { ...custom, ...own }, body });
    const outcome = await post().catch((err: unknown) => {
      log.error({ organization_id: tenant.id, delivery_id: id, err }, "A delivery went wrong here.");
      return { ...unsent, errorClass: "connect" as const };
    });
    return { outcome, requestHeaders: { ...masked(custom), ...own } };
  };

  return async (tenant, delivery) => {
    const startedAt = toInstant(clock.now());
    const done = await sent(tenant, delivery);
    return { delivery, url: delivery.endpoint.url, startedAt, endedAt: toInstant(clock.now()), ...done };
  };
}

/** @returns undefined when another installation has it. @throws when the records can't be used */
const dataKeyOf = (tenant: Tenant): Promise<Buffer | undefined> =>
  tenant.dataKey().catch((error: unknown) => {
    if (error instanceof Problem && error.reason === "installation_key_missing") return undefined;
    throw error;
  });

/** @returns undefined when it was sealed under another key, or for another endpoint */
const unsealed = (dataKey: Buffer, endpointId: EndpointId, sealed: string): string | undefined =>
  attempted(() => openSecret(dataKey, endpointId, sealed));

function attempted<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
