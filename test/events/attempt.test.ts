import { expect, test } from "bun:test";
import { seconds, shift } from "../../src/core/clock.ts";
import { conflict, Problem } from "../../src/core/errors.ts";
import { newId } from "../../src/core/ids.ts";
import { createAttempts } from "../../src/events/attempt.ts";
import type { Send } from "../../src/events/outbound/sender.ts";
import { claim } from "../../src/events/outbox.ts";
import { sealSecret } from "../../src/events/signing-secrets.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { newNetwork, newOffice, nowOf, succeeded } from "./office.ts";

/** A delivery that was claimed, and what makes attempts at it. */
async function scene(send: Send = newNetwork().send) {
  const office = await newOffice();
  const school = await office.newSchool();
  const { id, secret } = await school.addEndpoint({ url: "https://receiver.test/hook" });
  await school.ping(id);
  const room = { of: () => 10, take: () => 10 };
  const options = { room, lease: seconds(30), token: "a.1", takeOver: false };
  const [delivery] = (await school.tenant.write((tx) => claim(tx, options))).claimed;
  if (delivery === undefined) throw new Error("nothing was claimed");
  const errors: unknown[] = [];
  const log = { error: (details: Record<string, unknown>) => void errors.push(details.err) };
  const makeAttempt = createAttempts({ clock: office.clock, send, log });
  const withKey = (dataKey: Tenant["dataKey"]): Tenant => ({ ...school.tenant, dataKey });
  return { office, school, secret, delivery, errors, makeAttempt, withKey };
}

test("an attempt says where it went, from when to when, and how it ended", async () => {
  const { office, school, delivery, makeAttempt } = await scene(async () => {
    office.clock.advance(300);
    return succeeded;
  });
  const startedAt = nowOf(office.clock);
  expect(await makeAttempt(school.tenant, delivery)).toEqual({
    delivery,
    url: "https://receiver.test/hook",
    startedAt,
    endedAt: shift(startedAt, 300),
    outcome: succeeded,
    requestHeaders: expect.objectContaining({ "X-SVC-Webhook-Delivery": delivery.id }),
  });
});

test("an attempt whose sending goes wrong has failed, and the log says why", async () => {
  const wrong = new Error("not foreseen");
  for (const send of [() => Promise.reject(wrong), () => fail(wrong)]) {
    const { school, delivery, makeAttempt, errors } = await scene(send);
    const { outcome } = await makeAttempt(school.tenant, delivery);
    expect(outcome).toMatchObject({ errorClass: "connect", status: null });
    expect(errors).toEqual([wrong]);
  }
});

const fail = (error: Error): never => {
  throw error;
};

test("a secret that can't be unsealed, now or ever, fails the attempt", async () => {
  const network = newNetwork();
  const { office, school, delivery, secret, makeAttempt, withKey } = await scene(network.send);
  const key = await school.tenant.dataKey();
  const others = sealSecret(key, newId<"webhook_endpoint">(office.clock), secret);
  const secondaryUntil = shift(office.clock.now(), seconds(1));
  const primary = { ...delivery.endpoint, primary_secret: others };
  const secondary = { ...delivery.endpoint, secondary_secret: others, secondary_until: secondaryUntil };
  for (const endpoint of [primary, secondary, { ...primary, primary_secret: "short" }]) {
    const { outcome } = await makeAttempt(school.tenant, { ...delivery, endpoint });
    expect(outcome).toMatchObject({ errorClass: "secret", status: null });
  }
  const elsewhere = withKey(() =>
    Promise.reject(conflict("installation_key_missing", "These records come from another installation.")),
  );
  const unknown = { ...delivery, endpoint: primary };
  expect((await makeAttempt(elsewhere, unknown)).outcome.errorClass).toBe("secret");
  expect(network.sent).toEqual([]);
});

test("when the records can't be used there is no attempt", async () => {
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
    withKey(() => Promise.reject(new Error("asked again"))),
    delivery,
  );
  expect(network.sent).toHaveLength(2);
});
