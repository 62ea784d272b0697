import { expect, test } from "bun:test";
import { verify } from "@octokit/webhooks-methods";
import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { hours, type Instant, minutes, shift } from "../../src/core/clock.ts";
import { randomBytes } from "../../src/core/crypto.ts";
import type { DeliveryId, EndpointId } from "../../src/core/ids.ts";
import { webhookEndpoints } from "../../src/events/events.tables.ts";
import { deliveryHeaders, envelope } from "../../src/events/signing.ts";
import {
  clearExpiredSecrets,
  newSecret,
  openSecret,
  rotateSecret,
  sealSecret,
} from "../../src/events/signing-secrets.ts";
import { newNetwork, newSetup } from "./setup.ts";

const now = "2026-06-14T09:00:00.000Z" as Instant;
const deliveryId = "01890a5d-ac96-774b-bcce-b302099a8057" as DeliveryId;
const endpointId = "01890a5d-ac96-774b-bcce-b302099a8058" as EndpointId;
const body = envelope({
  type: "flight.approved",
  id: "evt_01890a5dac96774bbcceb302099a8057",
  occurredAt: now,
  data: '{"flight":{"lesson":"Überland \\"1\\"","hours":1.50}}',
});

test("the body is the contract's envelope around the unchanged text of the data", () => {
  expect(body).toBe(
    '{"event":{"type":"flight.approved","id":"evt_01890a5dac96774bbcceb302099a8057","occurred_at":"2026-06-14T09:00:00.000Z","data":{"flight":{"lesson":"Überland \\"1\\"","hours":1.50}}}}',
  );
  expect(Object.keys(JSON.parse(body).event)).toEqual(["type", "id", "occurred_at", "data"]);
});

test("an independent verifier accepts a signature only with its secret and body", async () => {
  const secret = newSecret();
  const headers = deliveryHeaders(body, { deliveryId, secrets: { primary: secret }, now });
  expect(headers).toEqual({
    "Content-Type": "application/json",
    "X-SVC-Webhook-Delivery": deliveryId,
    "X-SVC-Webhook-Timestamp": now,
    "X-SVC-Webhook-Signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    "webhook-id": deliveryId,
    "webhook-timestamp": "1781427600",
    "webhook-signature": expect.stringMatching(/^v1,[\w+/]{43}=$/),
  });
  const signature = headers["X-SVC-Webhook-Signature"] ?? "";
  expect(await verify(secret, body, signature)).toBe(true);
  expect(await verify(newSecret(), body, signature)).toBe(false);
  expect(await verify(secret, `${body} `, signature)).toBe(false);
});

test("in the rotation window both secrets sign, each in its own header", async () => {
  const [primary, old] = [newSecret(), newSecret()];
  const secondary = { secret: old, until: shift(now, 1) };
  const headers = deliveryHeaders(body, { deliveryId, secrets: { primary, secondary }, now });
  expect(headers["X-SVC-Webhook-Signature-Primary"]).toBe(headers["X-SVC-Webhook-Signature"] ?? "");
  expect(await verify(primary, body, headers["X-SVC-Webhook-Signature-Primary"] ?? "")).toBe(true);
  expect(await verify(old, body, headers["X-SVC-Webhook-Signature-Secondary"] ?? "")).toBe(true);
  const after = deliveryHeaders(body, { deliveryId, secrets: { primary, secondary }, now: secondary.until });
  expect(Object.keys(after).filter((name) => name.startsWith("X-SVC-Webhook-Signature"))).toEqual([
    "X-SVC-Webhook-Signature",
  ]);
});

/** Verifies a delivery with the library of Standard Webhooks, which compares the timestamp with the wall clock. */
const isStandard = (secret: string, text: string, headers: Record<string, string>): boolean => {
  try {
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  }
};

test("the library of Standard Webhooks accepts a delivery, and its timestamp is signed", () => {
  const wallClock = new Date().toISOString() as Instant;
  const [primary, old] = [newSecret(), newSecret()];
  const secondary = { secret: old, until: shift(wallClock, 1) };
  const headers = deliveryHeaders(body, { deliveryId, secrets: { primary, secondary }, now: wallClock });
  for (const secret of [primary, old]) expect(isStandard(secret, body, headers)).toBe(true);
  expect(isStandard(newSecret(), body, headers)).toBe(false);
  expect(isStandard(primary, `${body} `, headers)).toBe(false);
  const later = String(Number(headers["webhook-timestamp"]) + 1);
  expect(isStandard(primary, body, { ...headers, "webhook-timestamp": later })).toBe(false);

  const after = deliveryHeaders(body, { deliveryId, secrets: { primary, secondary }, now: secondary.until });
  expect([isStandard(primary, body, after), isStandard(old, body, after)]).toEqual([true, false]);
});

test("a secret in the earlier form, base64url without padding, still signs both ways", async () => {
  const bytes = Buffer.alloc(32, 0xfb); // its base64 has + and /
  const secret = `whsec_${bytes.toString("base64url")}`;
  const wallClock = new Date().toISOString() as Instant;
  const headers = deliveryHeaders(body, { deliveryId, secrets: { primary: secret }, now: wallClock });
  expect(await verify(secret, body, headers["X-SVC-Webhook-Signature"] ?? "")).toBe(true);
  expect(isStandard(`whsec_${bytes.toString("base64")}`, body, headers)).toBe(true);
});

test("a secret is whsec_ and the base64 of 256 bits, and unseals only with its key and for its endpoint", () => {
  const key = randomBytes(32);
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/);
  const sealed = sealSecret(key, endpointId, secret);
  expect(sealed).not.toContain(secret);
  expect(openSecret(key, endpointId, sealed)).toBe(secret);
  expect(() => openSecret(key, deliveryId as unknown as EndpointId, sealed)).toThrow();
  expect(() => openSecret(randomBytes(32), endpointId, sealed)).toThrow();
});

test("rotateSecret is rejected within 72 hours, to the millisecond", () => {
  const key = randomBytes(32);
  const fresh = {
    id: endpointId,
    primary_secret: sealSecret(key, endpointId, "a"),
    secondary_secret: null,
    secondary_until: null,
  };
  const { secret, columns } = rotateSecret(key, fresh, now);
  expect(columns).toEqual({
    primary_secret: expect.any(String),
    secondary_secret: fresh.primary_secret,
    secondary_until: shift(now, hours(72)),
  });
  expect(openSecret(key, endpointId, columns.primary_secret)).toBe(secret);
  const rotated = { id: endpointId, ...columns };
  expect(() => rotateSecret(key, rotated, shift(now, hours(72) - 1))).toThrow("The secret was just rotated");
  // Rotated while the clock was a day ahead.
  expect(() => rotateSecret(key, rotated, shift(now, -minutes(1)))).toThrow("The secret was just rotated");
  expect(rotateSecret(key, rotated, shift(now, -hours(24))).columns.secondary_until).toBe(shift(now, hours(48)));
  expect(rotateSecret(key, rotated, shift(now, hours(72))).columns.secondary_secret).toBe(columns.primary_secret);
});

test("for 72 hours after a rotation deliveries have both signatures, before and after the nightly job", async () => {
  const setup = await newSetup();
  const { clock } = setup;
  const school = await setup.newSchool();
  const { sent, send } = newNetwork();
  const dispatcher = setup.dispatcher(send);
  const { id, secret: old } = await school.addEndpoint();
  const key = await school.tenant.dataKey();
  const { secret } = await school.tenant.write(async (tx) => {
    const [endpoint] = await tx.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
    if (!endpoint) throw new Error("There is no endpoint.");
    const rotated = rotateSecret(key, endpoint, tx.now);
    await tx.update(webhookEndpoints).set(rotated.columns).where(eq(webhookEndpoints.id, id));
    return rotated;
  });
  const signatures = async () => {
    await school.ping(id);
    await dispatcher.sendDue();
    const { headers = {}, body: text = "" } = sent.at(-1) ?? {};
    const isSignedBy = async (name: string, by: string) =>
      name in headers && (await verify(by, text, headers[name] ?? ""));
    return {
      primary: await isSignedBy("X-SVC-Webhook-Signature", secret),
      alsoPrimary: await isSignedBy("X-SVC-Webhook-Signature-Primary", secret),
      secondary: await isSignedBy("X-SVC-Webhook-Signature-Secondary", old),
    };
  };

  clock.advance(hours(72) - 1);
  expect(await signatures()).toEqual({ primary: true, alsoPrimary: true, secondary: true });
  expect(await school.tenant.write(clearExpiredSecrets)).toBe(0);
  clock.advance(1);
  expect(await signatures()).toEqual({ primary: true, alsoPrimary: false, secondary: false });
  expect(await school.tenant.write(clearExpiredSecrets)).toBe(1);
  expect(await school.endpoint(id)).toMatchObject({ secondary_secret: null, secondary_until: null });
  expect(await signatures()).toEqual({ primary: true, alsoPrimary: false, secondary: false });
});
