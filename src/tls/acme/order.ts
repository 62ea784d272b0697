/** Obtains one certificate: orders it, proves who has the name by HTTP, and downloads it (RFC 8555, 7.4). */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { minutes, seconds } from "../../core/clock.ts";
import { base64url } from "./base64url.ts";
import type { Acme } from "./client.ts";
import { AcmeProblem } from "./problem.ts";
import { signingRequest } from "./signing-request.ts";

/** An order that was placed, to be continued after a crash. */
export interface PlacedOrder {
  url: string;
  /** PEM, of the certificate. */
  key: string;
}

const Failure = z.object({ type: z.string(), detail: z.string() });

const Order = z.object({
  status: z.enum(["pending", "ready", "processing", "valid", "invalid"]),
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: Failure.optional(),
});

type Order = z.output<typeof Order>;

const Authorization = z.object({
  status: z.enum(["pending", "valid", "invalid", "deactivated", "expired", "revoked"]),
  challenges: z.array(z.object({ type: z.string(), url: z.url(), error: Failure.optional() })),
});
type Authorization = z.output<typeof Authorization>;

// Functions: to infer from a schema what it parses takes the compiler ten times as much as all the rest of this file.
const orderOf = (body: string): Order => Order.parse(JSON.parse(body));
const authorizationOf = (body: string): Authorization => Authorization.parse(JSON.parse(body));

/** Milliseconds. */
const shortestPoll = 200;
const longestPoll = seconds(5);
const longestWait = minutes(2);

interface OrderOptions {
  acme: Acme;
  domain: string;
  /** One that was placed earlier. The authority may have closed it since. */
  placed: PlacedOrder | undefined;
  newKey(): string;
  /** Stores a new order, before a certificate is issued for it. */
  place(order: PlacedOrder): Promise<void>;
  stopping: AbortSignal;
}

/** @returns PEM @throws AcmeProblem */
export async function obtainCertificate(options: OrderOptions): Promise<{ cert: string; key: string }> {
  const { acme, domain, stopping } = options;
  const { url, key, order } = (await earlier(options)) ?? (await place(options));
  const follow: Follow = (at, read, isDone) => poll({ acme, url: at, read, isDone, stopping });

  let current = order;
  if (current.status === "pending") {
    for (const authorization of current.authorizations) await prove(acme, authorization, follow);
    current = await follow(url, orderOf, ({ status }) => status !== "pending");
  }
  if (current.status === "ready") {
    await acme.post(current.finalize, { csr: base64url(signingRequest(domain, key)) });
    current = await follow(url, orderOf, ({ status }) => status === "valid" || status === "invalid");
  }
  if (current.status === "processing")
    current = await follow(url, orderOf, ({ status }) => status === "valid" || status === "invalid");
  if (current.status !== "valid" || current.certificate === undefined)
    throw failureOf(current.error, "The order failed.");
  return { cert: (await acme.post(current.certificate)).body, key };
}

async function place({ acme, domain, newKey, place: store }: OrderOptions) {
  const { url, body } = await acme.newOrder(domain);
  const key = newKey();
  await store({ url, key });
  return { url, key, order: orderOf(body) };
}

/** @returns the order that was placed earlier, if it can still be fulfilled */
async function earlier({ acme, placed }: OrderOptions) {
  if (placed === undefined) return undefined;
  try {
    const order = orderOf((await acme.post(placed.url)).body);
    return order.status === "invalid" ? undefined : { ...placed, order };
  } catch (error) {
    if (error instanceof AcmeProblem) return undefined; // forgotten, for example
    throw error;
  }
}

type Follow = <T>(url: string, read: (body: string) => T, isDone: (value: T) => boolean) => Promise<T>;

async function prove(acme: Acme, url: string, follow: Follow): Promise<void> {
  const before = authorizationOf((await acme.post(url)).body);
  if (before.status === "valid") return;
  const challenge = before.challenges.find(({ type }) => type === "http-01");
  if (challenge === undefined)
    throw new AcmeProblem("unsupported", "The authority does not take a proof by HTTP (http-01).");
  await acme.post(challenge.url, {});
  const after = await follow(url, authorizationOf, ({ status }) => status !== "pending");
  if (after.status === "valid") return;
  throw failureOf(after.challenges.find(({ error }) => error)?.error, `The proof was not taken: ${after.status}.`);
}

const failureOf = (failure: z.output<typeof Failure> | undefined, otherwise: string): AcmeProblem =>
  new AcmeProblem(failure?.type ?? "unknown", failure?.detail ?? otherwise);

interface PollOptions<T> {
  acme: Acme;
  url: string;
  read(body: string): T;
  isDone(value: T): boolean;
  stopping: AbortSignal;
}

/** As often as the authority says, or a little less often each time. */
async function poll<T>({ acme, url, read, isDone, stopping }: PollOptions<T>): Promise<T> {
  let pause = shortestPoll;
  for (let waited = 0; waited < longestWait; waited += pause) {
    const { body, retryAfter = 0 } = await acme.post(url);
    const value = read(body);
    if (isDone(value)) return value;
    pause = Math.min(Math.max(pause * 1.5, retryAfter), longestPoll);
    await wait(pause, undefined, { signal: stopping });
  }
  throw new AcmeProblem("timeout", "The authority did not finish in time.");
}
