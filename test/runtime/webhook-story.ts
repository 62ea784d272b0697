/** An integrator's use of webhooks on any runtime, with receivers that check every request. */
import { expect } from "bun:test";
import { writeFile } from "node:fs/promises";
import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { newAuthority } from "../events/certificate.ts";
import { stretched } from "../support/limits.ts";
import { type Delivery, type Inbox, newInbox } from "./inbox.ts";

export interface Receivers extends AsyncDisposable {
  /** Environment of the server: allows receivers on loopback, and trusts their authority. */
  env: Record<string, string>;
  trusted: Inbox;
  /** Has a certificate by an authority that the server does not trust. */
  untrusted: Inbox;
}

/** Opens the receivers. @param caFile where to write the authority's certificate */
export async function openReceivers(caFile: string): Promise<Receivers> {
  const authority = newAuthority();
  await writeFile(caFile, authority.ca);
  const trusted = await newInbox(authority.issue("127.0.0.1"));
  const untrusted = await newInbox(newAuthority("Windsock unknown authority").issue("127.0.0.1"));
  return {
    env: { WINDSOCK_WEBHOOK_ALLOW: "127.0.0.1/32", WINDSOCK_WEBHOOK_CA: caFile },
    trusted,
    untrusted,
    async [Symbol.asyncDispose]() {
      await Promise.all([trusted.close(), untrusted.close()]);
    },
  };
}

/** Sends a request and checks the response's status. @returns the response's `data` */
// biome-ignore lint/suspicious/noExplicitAny: the type depends on the route
type Ask = (status: number, method: string, path: string, body?: object) => Promise<any>;

interface School {
  /** Sends as the owner, below `/orgs/{orgId}`. */
  owner: Ask;
  /** Sends with an API key. */
  integrator: Ask;
  /** Submits and approves a flight. @returns its id */
  fly(): Promise<string>;
}

const endpoints = "/integrations/webhook-endpoints";

export async function playTheWebhooks({ owner, integrator, fly }: School, { trusted, untrusted }: Receivers) {
  const event_types = ["flight.submitted", "flight.approved"];
  const endpoint = await owner(201, "POST", endpoints, { url: trusted.url, event_types });
  expect(endpoint.secret).toMatch(/^whsec_[\w+/]{43}=$/);
  const listed = await owner(200, "GET", endpoints);
  expect(listed).toMatchObject([{ id: endpoint.id, enabled: true }]);
  expect(JSON.stringify(listed)).not.toContain(endpoint.secret);

  const ping = await owner(201, "POST", `${endpoints}/${endpoint.id}/ping`);
  const pinged = await trusted.take("webhook.test");
  expect(pinged).toMatchObject({ id: ping.delivery_ids[0], event: { id: ping.event_id } });
  await expectSigned(pinged, endpoint.secret);

  const untrustedEndpoint = await owner(201, "POST", endpoints, { url: untrusted.url, event_types });
  const flight = await fly();
  const submitted = await trusted.take("flight.submitted");
  const approved = await trusted.take("flight.approved");
  expect(submitted.event.data).toMatchObject({ flight: { id: flight, status: "submitted" } });
  expect(approved.event.data).toMatchObject({ flight: { id: flight, status: "approved", departure: "EDFE" } });
  for (const delivery of [submitted, approved]) await expectSigned(delivery, endpoint.secret);

  const replayed = await rotateAndReplay({ owner, integrator }, trusted, { endpoint, approved });
  expect(new Set(trusted.deliveries)).toEqual(new Set([pinged, submitted, approved, replayed]));
  expect(trusted.deliveries).toHaveLength(4);

  await expectRefusal(owner, approved.event.id, { endpoint, untrustedEndpoint });
  expect(untrusted.deliveries).toEqual([]);
}

interface Revealed {
  id: string;
  secret: string;
}

async function rotateAndReplay(
  { owner, integrator }: Pick<School, "owner" | "integrator">,
  trusted: Inbox,
  { endpoint, approved }: { endpoint: Revealed; approved: Delivery },
): Promise<Delivery> {
  const rotated = await owner(200, "POST", `${endpoints}/${endpoint.id}/rotate-secret`);
  expect(rotated.secret).not.toBe(endpoint.secret);
  const { delivery_ids } = await integrator(201, "POST", `/api/v1/public/events/${approved.event.id}/replay`);

  const replayed = await trusted.take("flight.approved");
  expect(delivery_ids).toContain(replayed.id);
  expect(replayed.id).not.toBe(approved.id);
  expect(replayed.body).toBe(approved.body);
  await expectSigned(replayed, rotated.secret);
  const { body, headers } = replayed;
  const { "x-svc-webhook-signature-primary": primary, "x-svc-webhook-signature-secondary": secondary } = headers;
  expect(primary).toBe(headers["x-svc-webhook-signature"]);
  expect(await verify(rotated.secret, body, String(primary))).toBe(true);
  expect(await verify(endpoint.secret, body, String(secondary))).toBe(true);
  expect(await verify(endpoint.secret, body, String(primary))).toBe(false);
  expect(await verify(rotated.secret, body, String(secondary))).toBe(false);
  await owner(409, "POST", `${endpoints}/${endpoint.id}/rotate-secret`);
  return replayed;
}

/** Checks the delivery log of an event that one receiver got twice, and the untrusted one never. */
async function expectRefusal(owner: Ask, eventId: string, { endpoint, untrustedEndpoint }: Record<string, Revealed>) {
  const deadline = Date.now() + stretched(10_000);
  for (;;) {
    const { deliveries: listed } = await owner(200, "GET", `/integrations/events/${eventId}`);
    const deliveries = await Promise.all(
      listed.map(({ id }: { id: string }) => owner(200, "GET", `/integrations/deliveries/${id}`)),
    );
    const to = (id: string | undefined) =>
      deliveries.filter((delivery: { endpoint_id: string }) => delivery.endpoint_id === id);
    // An attempt is recorded after the receiver got it.
    const isRecorded = deliveries.every((delivery: { attempts: unknown[] }) => delivery.attempts.length > 0);
    if (!isRecorded && Date.now() < deadline) continue;
    expect(to(endpoint?.id)).toMatchObject([
      { status: "succeeded", attempts: [{ number: 1, status_code: 204, error_class: null }] },
      { status: "succeeded", attempts: [{ number: 1, status_code: 204, error_class: null }] },
    ]);
    const refused = to(untrustedEndpoint?.id);
    expect(refused).toHaveLength(2);
    for (const { status, attempts } of refused) {
      expect(["pending", "delivering"]).toContain(status);
      for (const attempt of attempts) expect(attempt).toMatchObject({ status_code: null, error_class: "tls" });
    }
    return;
  }
}

/** Checks the headers, and that the signatures are valid with this secret and body only. */
async function expectSigned({ id, event, headers, body }: Delivery, secret: string): Promise<void> {
  // A copy, since Bun's toMatchObject writes the patterns into the object.
  expect({ ...headers }).toMatchObject({
    "content-type": "application/json",
    "user-agent": expect.stringMatching(/^Windsock/),
    "x-svc-webhook-delivery": expect.stringMatching(/^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/),
    "x-svc-webhook-timestamp": expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    "x-svc-webhook-signature": expect.stringMatching(/^sha256=[\da-f]{64}$/),
  });
  expect(id).toBe(String(headers["x-svc-webhook-delivery"]));
  expect(event.id).toMatch(/^evt_[\da-f]{32}$/);
  const signature = String(headers["x-svc-webhook-signature"]);
  expect(await verify(secret, body, signature)).toBe(true);
  expect(await verify(`${secret}x`, body, signature)).toBe(false);
  expect(await verify(secret, `${body} `, signature)).toBe(false);
  const ofStandard = {
    "webhook-id": id,
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"]),
  };
  expect(new Webhook(secret).verify(body, ofStandard)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${body} `, ofStandard)).toThrow("No matching signature");
}
