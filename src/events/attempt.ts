import { LRUCache } from "lru-cache";
import { type Clock, type Instant, toInstant } from "../core/clock.ts";
import { Problem } from "../core/errors.ts";
import { type Spans, type Trace, traceparentOf } from "../core/trace.ts";
import type { Tenant } from "../storage/store.ts";
import { attemptSpan, attemptTrace } from "./attempt-trace.ts";
import { type CustomHeaders, masked, openHeaders } from "./custom-headers.ts";
import type { Outcome } from "./outbound/outcome.ts";
import type { Send } from "./outbound/sender.ts";
import type { Claimed } from "./outbox.ts";
import { deliveryHeaders, envelope, type SigningSecrets } from "./signing.ts";
import { openSecret } from "./signing-secrets.ts";

interface AttemptOptions {
  clock: Clock;
  send: Send;
  /** Given if the operator has spans exported. */
  spans?: Spans | undefined;
  log: { error(details: Record<string, unknown>, message: string): void };
}

/** An attempt that ended. */
export interface Attempt {
  delivery: Pick<Claimed, "id" | "endpointId" | "attempt" | "leaseToken">;
  url: string;
  startedAt: Instant;
  endedAt: Instant;
  outcome: Outcome;
  /** The headers sent, values of the endpoint's custom headers masked; null when nothing was sent. */
  requestHeaders: Readonly<Record<string, string>> | null;
  trace: Trace;
}

export type MakeAttempt = (tenant: Tenant, delivery: Claimed) => Promise<Attempt>;

const maxKept = 1000;
const notSent = { status: null, headers: null, body: null, durationMs: 0 };

/**
 * Returns a function that signs and sends a delivery. A failure of either is the attempt's outcome. The function rejects
 * only when the tenant's records can't be used; then no attempt was made.
 */
export function createMakeAttempt({ clock, send, log, spans }: AttemptOptions): MakeAttempt {
  const secretsKept = new LRUCache<string, string>({ max: maxKept });
  const headersKept = new LRUCache<string, CustomHeaders>({ max: maxKept });

  /** @returns undefined when this installation can't unseal the secrets */
  const secretsOf = async (tenant: Tenant, endpoint: Claimed["endpoint"]): Promise<SigningSecrets | undefined> => {
    const {
      primary_secret: primarySecret,
      secondary_secret: secondarySecret,
      secondary_until: secondaryUntil,
    } = endpoint;
    const sealed = [primarySecret, ...(secondarySecret === null ? [] : [secondarySecret])];
    const key = sealed.every((text) => secretsKept.has(text)) ? undefined : await dataKeyOf(tenant);
    const secretOf = (text: string): string | undefined => {
      const secret = secretsKept.get(text) ?? (key && openedOrNone(() => openSecret(key, endpoint.id, text)));
      if (secret !== undefined) secretsKept.set(text, secret);
      return secret;
    };
    const primary = secretOf(primarySecret);
    if (primary === undefined) return undefined;
    if (secondarySecret === null || secondaryUntil === null) return { primary };
    const secret = secretOf(secondarySecret);
    // After a school was adopted without the key of its installation, and then given a new secret.
    return secret === undefined ? { primary } : { primary, secondary: { secret, until: secondaryUntil } };
  };

  /** @returns undefined when this installation can't unseal the headers */
  const headersOf = async (
    tenant: Tenant,
    { id, headers }: Claimed["endpoint"],
  ): Promise<CustomHeaders | undefined> => {
    if (headers === null) return {};
    const kept = headersKept.get(headers);
    if (kept !== undefined) return kept;
    const key = await dataKeyOf(tenant);
    const opened = key && openedOrNone(() => openHeaders(key, id, headers));
    if (opened !== undefined) headersKept.set(headers, opened);
    return opened;
  };

  const signAndSend = async (
    tenant: Tenant,
    { id, event, endpoint, attempt }: Claimed,
    trace: Trace,
  ): Promise<Pick<Attempt, "outcome" | "requestHeaders">> => {
    const secrets = await secretsOf(tenant, endpoint);
    const custom = await headersOf(tenant, endpoint);
    if (secrets === undefined || custom === undefined)
      return { outcome: { ...notSent, errorClass: "secret" }, requestHeaders: null };
    const body = envelope(event);
    const signed = deliveryHeaders(body, { deliveryId: id, secrets, now: toInstant(clock.now()) });
    const own = { ...signed, traceparent: traceparentOf(trace) };
    const headers = { ...custom, ...own };
    const post = async () => send({ url: endpoint.url, headers, body, newConnection: attempt > 1 });
    const outcome = await post().catch((err: unknown) => {
      log.error(
        { organization_id: tenant.id, delivery_id: id, err },
        "An attempt failed because of an unexpected error.",
      );
      return { ...notSent, errorClass: "connect" as const };
    });
    return { outcome, requestHeaders: { ...masked(custom), ...own } };
  };

  return async (tenant, delivery) => {
    const startedAt = toInstant(clock.now());
    const traced = attemptTrace(delivery, clock, spans);
    const { trace } = traced;
    const result = await signAndSend(tenant, delivery, trace);
    const { outcome } = result;
    if (trace.isSampled) spans?.record(attemptSpan(traced, delivery, { orgId: tenant.id, outcome }));
    return { delivery, url: delivery.endpoint.url, startedAt, endedAt: toInstant(clock.now()), trace, ...result };
  };
}

/** @returns undefined when it was sealed by another installation. @throws when the tenant's records can't be used */
const dataKeyOf = (tenant: Tenant): Promise<Buffer | undefined> =>
  tenant.dataKey().catch((error: unknown) => {
    if (error instanceof Problem && error.reason === "installation_key_missing") return undefined;
    throw error;
  });

/** @returns undefined when the text was sealed under another key, or for another endpoint */
function openedOrNone<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
