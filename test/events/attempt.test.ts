import { expect, test } from "bun:test";
import { seconds, shift } from "../../src/core/clock.ts";
import { conflict, Problem } from "../../src/core/errors.ts";
import { newId } from "../../src/core/ids.ts";
import { createMakeAttempt } from "../../src/events/attempt.ts";
import type { Send } from "../../src/events/outbound/sender.ts";
import { claim } from "../../src/events/outbox.ts";
import { sealSecret } from "../../src/events/signing-secrets.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { newNetwork, newSetup, nowOf, succeeded } from "./setup.ts";

/** A claimed delivery, and a function that makes attempts. */
async function scene(send: Send = newNetwork().send) {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id, secret } = await school.addEndpoint({ url: "https://receiver.test/hook" });
  await school.ping(id);
  const room = { of: () => 10, take: () => 10 };
  const options = { room, lease: seconds(30), token: "a.1", takeOver: false };
  const [delivery] = (await school.tenant.write((tx) => claim(tx, options))).claimed;
  if (delivery === undefined) throw new Error("Nothing was claimed.");
  const errors: unknown[] = [];
  const log = { error: (details: Record<string, unknown>) => void errors.push(details.err) };
  const makeAttempt = createMakeAttempt({ clock: setup.clock, send, log });
  const withKey = (dataKey: Tenant["dataKey"]): Tenant => ({ ...school.tenant, dataKey });
  return { setup, school, secret, delivery, errors, makeAttempt, withKey };
}

test("an attempt has its URL, start, end and outcome", async () => {
  const { setup, school, delivery, makeAttempt } = await scene(async () => {
    setup.clock.advance(300);
    return succeeded;
  });
  const startedAt = nowOf(setup.clock);
  expect(await makeAttempt(school.tenant, delivery)).toEqual({
    delivery,
    url: "https://receiver.test/hook",
    startedAt,
    endedAt: shift(startedAt, 300),
    outcome: succeeded,
    trace: expect.anything(),
    requestHeaders: expect.objectContaining({ "X-SVC-Webhook-Delivery": delivery.id }),
  });
});

test("an unexpected error of the sender fails the attempt, and is logged", async () => {
  const error = new Error("unexpected");
  for (const send of [() => Promise.reject(error), () => fail(error)]) {
    const { school, delivery, makeAttempt, errors } = await scene(send);
    const { outcome } = await makeAttempt(school.tenant, delivery);
    expect(outcome).toMatchObject({ errorClass: "connect", status: null });
    expect(errors).toEqual([error]);
  }
});

const fail = (error: Error): never => {
  throw error;
};

test("a secret that can't be unsealed fails the attempt, and a secondary one is left out", async () => {
  const network = newNetwork();
  const { setup, school, delivery, secret, makeAttempt, withKey } = await scene(network.send);
  const key = await school.tenant.dataKey();
  const others = sealSecret(key, newId<"webhook_endpoint">(setup.clock), secret);
  const primary = { ...delivery.endpoint, primary_secret: others };
  for (const endpoint of [primary, { ...primary, primary_secret: "short" }]) {
    const { outcome } = await makeAttempt(school.tenant, { ...delivery, endpoint });
    expect(outcome).toMatchObject({ errorClass: "secret", status: null });
  }
  const elsewhere = withKey(() =>
    Promise.reject(conflict("installation_key_missing", "These records come from another installation.")),
  );
  const unknown = { ...delivery, endpoint: primary };
  expect((await makeAttempt(elsewhere, unknown)).outcome.errorClass).toBe("secret");
  expect(network.sent).toEqual([]);

  // So a school that came from another installation delivers after one rotation of its secret.
  const secondaryUntil = shift(setup.clock.now(), seconds(1));
  const rotated = { ...delivery.endpoint, secondary_secret: others, secondary_until: secondaryUntil };
  const { outcome, requestHeaders } = await makeAttempt(school.tenant, { ...delivery, endpoint: rotated });
  expect(outcome.errorClass).toBe(null);
  expect(Object.keys(requestHeaders ?? {}).filter((name) => /signature-secondary/i.test(name))).toEqual([]);
});

test("no attempt is made if the tenant's key can't be read", async () => {
  const network = newNetwork();
  const { delivery, makeAttempt, withKey } = await scene(network.send);
  for (const error of [new Error("disk full"), new Problem("TENANT_UNAVAILABLE", "Not now.")]) {
    const attempt = makeAttempt(
      withKey(() => Promise.reject(error)),
      delivery,
    );
    expect(await attempt.catch((reason: unknown) => reason)).toBe(error);
  }
  expect(network.sent).toEqual([]);
});

test("the secret of an endpoint is unsealed once", async () => {
  const network = newNetwork();
  const { school, delivery, makeAttempt, withKey } = await scene(network.send);
  await makeAttempt(school.tenant, delivery);
  await makeAttempt(
    withKey(() => Promise.reject(new Error("called again"))),
    delivery,
  );
  expect(network.sent).toHaveLength(2);
});
