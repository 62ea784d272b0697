import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hours, shift } from "../../../src/core/clock.ts";
import { type EndpointId, isId } from "../../../src/core/ids.ts";
import { webhookEndpoints } from "../../../src/events/events.tables.ts";
import { openSecret } from "../../../src/events/signing-secrets.ts";
import { nextSecretExpiry } from "../../../src/modules/integrations/webhooks/webhooks.queries.ts";
import { lifetimes } from "../../contract/facts.ts";
import { changes, snapshot } from "../../support/databases.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { emitTests, tenantOf } from "./events.ts";
import { webhookUrl } from "./scenery.ts";

const base = "/integrations/webhook-endpoints";

const create = async ({ owner }: School) =>
  expectStatus(201, await owner.post(base, { url: webhookUrl, event_types: ["webhook.test"] })).body.data;

/** Decrypts the endpoint's secrets, as the dispatcher does. */
async function secretsOf(school: School, id: string): Promise<(string | null)[]> {
  if (!isId<"webhook_endpoint">(id)) throw new Error("An endpoint has an id.");
  const endpointId: EndpointId = id;
  const tenant = tenantOf(school);
  const [row] = await tenant.read((reader) =>
    reader.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId)),
  );
  const key = await tenant.dataKey();
  return [row?.primary_secret ?? null, row?.secondary_secret ?? null].map(
    (sealed) => sealed && openSecret(key, endpointId, sealed),
  );
}

test("rotateSigningSecret returns a new secret and keeps the previous one for 72 hours", async () => {
  const school = await newOwnSchool();
  const { secret, ...created } = await create(school);
  expect(await secretsOf(school, created.id)).toEqual([secret, null]);
  school.installation.clock.advance(1000);

  const { secret: second, ...rotated } = expectStatus(
    200,
    await school.owner.post(`${base}/${created.id}/rotate-secret`),
  ).body.data;

  expect(second).not.toBe(secret);
  expect(rotated).toEqual({
    ...created,
    secondary_secret_expires_at: shift(school.installation.clock.now(), hours(lifetimes.secondarySecretHours)),
    updated_at: "2026-06-14T09:00:01.000Z",
  });
  expect(await secretsOf(school, created.id)).toEqual([second, secret]);
  expect((await school.owner.get(`/audit-log?subject_id=${created.id}`)).body.data[0]).toMatchObject({
    action: "webhook_endpoint.secret_rotated",
    before: created,
    after: rotated,
  });
});

test("another rotation gets 409 until 72 hours have passed, to the millisecond, and changes nothing", async () => {
  const school = await newOwnSchool();
  const { clock, storage } = school.installation;
  const { id } = await create(school);
  const rotate = async () => (await school.owner.signedInAgain()).post(`${base}/${id}/rotate-secret`);
  const { secret } = expectStatus(200, await school.owner.post(`${base}/${id}/rotate-secret`)).body.data;

  const before = await snapshot(storage);
  const refused = expectStatus(409, await school.owner.post(`${base}/${id}/rotate-secret`));
  expect(refused.body.error.message).toContain("still signs until 2026-06-17T09:00:00.000Z");
  expect(changes(before, await snapshot(storage))).toEqual([]);

  clock.advance(hours(lifetimes.secondarySecretHours) - 1);
  expectStatus(409, await rotate());
  clock.advance(1);
  const third = expectStatus(200, await rotate()).body.data;
  expect(await secretsOf(school, id)).toEqual([third.secret, secret]);
});

test("one of several racing rotations succeeds", async () => {
  const school = await newSchool();
  const { id } = await create(school);
  const answers = await Promise.all([1, 2, 3, 4].map(() => school.owner.post(`${base}/${id}/rotate-secret`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  const won = answers.find(({ status }) => status === 200)?.body.data.secret;
  expect((await secretsOf(school, id))[0]).toBe(won);
});

test("a signing secret appears only in the response that created it: not in a GET, audit row, log line or table", async () => {
  const school = await newOwnSchool();
  const { owner, installation, orgId } = school;
  const { id, secret: first } = await create(school);
  const { secret: second } = expectStatus(200, await owner.post(`${base}/${id}/rotate-secret`)).body.data;
  expectStatus(409, await owner.post(`${base}/${id}/rotate-secret`));
  const { event_id } = expectStatus(201, await owner.post(`${base}/${id}/ping`)).body.data;
  expectStatus(201, await owner.post(`/integrations/events/${event_id}/replay`));
  const patched = expectStatus(
    200,
    await owner.call("PATCH", `/orgs/${orgId}${base}/${id}`, { body: { enabled: false } }),
  );
  await emitTests(school, 1);
  const key = await school.apiKey("public.events:read");

  const answers = [
    patched,
    await owner.get(base),
    await owner.get(`${base}/${id}`),
    await owner.get("/integrations/events"),
    await owner.get(`/integrations/events/${event_id}`),
    await owner.get("/integrations/event-catalog"),
    await owner.get("/audit-log?limit=500"),
    await school.publicGet("/events", key),
    await owner.call("DELETE", `/orgs/${orgId}${base}/${id}`),
  ];

  const bodies = answers.map((answer) => expectStatus(200, answer).text);
  const kept = [...(await snapshot(installation.storage)).values()].flat();
  for (const secret of [first, second]) {
    // Without the prefix, so that the check also finds the bare secret.
    const bare = secret.replace(/^[a-z]+_/, "");
    for (const text of [...bodies, ...installation.logged, ...kept]) expect(text.includes(bare)).toBe(false);
  }
  // The encrypted secrets do not appear either.
  const rows = await tenantOf(school).read((reader) => reader.select().from(webhookEndpoints));
  const sealed = rows.flatMap((row) => [row.primary_secret, row.secondary_secret ?? ""]);
  for (const text of bodies) for (const one of sealed) expect(one !== "" && text.includes(one)).toBe(false);
});

test("the next previous secret to be removed is that which expires first", async () => {
  const school = await newOwnSchool();
  expect(await tenantOf(school).read(nextSecretExpiry)).toBe(null);
  const [first, second] = [await create(school), await create(school)];
  const expiries: string[] = [];
  for (const { id } of [second, first]) {
    const { data } = expectStatus(200, await school.owner.post(`${base}/${id}/rotate-secret`)).body;
    expiries.push(data.secondary_secret_expires_at);
    school.installation.clock.advance(1000);
  }
  expect(expiries[0]).not.toBe(expiries[1]);
  expect(String(await tenantOf(school).read(nextSecretExpiry))).toBe(String(expiries[0]));
});
