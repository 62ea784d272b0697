/** The health of an endpoint, and how a failing endpoint is disabled. */
import { expect, test } from "bun:test";
import { toInstant } from "../../../src/core/clock.ts";
import { isId } from "../../../src/core/ids.ts";
import type { Outcome } from "../../../src/events/outbound/outcome.ts";
import { endpointHealth } from "../../../src/modules/integrations/webhooks/endpoint-health.queries.ts";
import { planOf } from "../../support/query-plans.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { answered, delivering, noAnswer } from "./dispatching.ts";
import { deliveriesOf, emitTests, tenantOf } from "./events.ts";
import { webhookUrl } from "./scenery.ts";

const base = "/integrations/webhook-endpoints";
const second = 1000;
const day = 86_400 * second;

const create = async ({ owner }: School) =>
  expectStatus(201, await owner.post(base, { url: webhookUrl, event_types: ["webhook.test"] })).body.data.id;

/** Creates a school with an endpoint that gives the response in `scene.answer`. */
async function newScene() {
  const school = await newOwnSchool();
  const id: string = await create(school);
  const { clock } = school.installation;
  const scene: { answer: Outcome } = { answer: answered(500) };
  const receiver = delivering(school, () => scene.answer);
  return Object.assign(scene, {
    school,
    id,
    clock,
    receiver,
    /** Emits an event and makes its first attempt. */
    async deliver() {
      const [eventId] = await emitTests(school, 1);
      await receiver.settle();
      return eventId;
    },
    async endpoint() {
      return (await (await school.owner.signedInAgain()).get(`${base}/${id}`)).body.data;
    },
    async patch(change: object) {
      const member = await school.owner.signedInAgain();
      const answer = await member.call("PATCH", `/orgs/${school.orgId}${base}/${id}`, { body: change });
      return expectStatus(200, answer).body.data;
    },
  });
}

test("an endpoint that fails for 5 days is disabled by its next failure, not a second earlier", async () => {
  const scene = await newScene();
  const { clock, school, id } = scene;
  await scene.deliver();
  expect(await scene.endpoint()).toMatchObject({ enabled: true, failing_since: "2026-06-14T09:00:00.000Z" });

  clock.set("2026-06-19T08:59:59.000Z");
  await scene.deliver();
  expect(await scene.endpoint()).toMatchObject({ enabled: true, failing_since: "2026-06-14T09:00:00.000Z" });
  clock.advance(second);
  const last = await scene.deliver();

  expect(await scene.endpoint()).toMatchObject({ enabled: false, disabled_reason: "failing" });
  expect(await deliveriesOfLate(school, last)).toMatchObject([{ status: "cancelled" }]);
  const log = await (await school.owner.signedInAgain()).get(`/audit-log?subject_id=${id}`);
  expect(log.body.data[0]).toMatchObject({
    action: "webhook_endpoint.disabled",
    actor: { kind: "job" },
    after: { enabled: false, disabled_reason: "failing" },
  });

  expect(await scene.patch({ enabled: true })).toMatchObject({
    enabled: true,
    disabled_reason: null,
    failing_since: null,
  });
  await scene.deliver();
  expect(await scene.endpoint()).toMatchObject({ enabled: true, failing_since: clock.now().toISOString() });
});

test("a success restarts the 5 days", async () => {
  const scene = await newScene();
  await scene.deliver();
  scene.clock.advance(4 * day);
  scene.answer = answered(200);
  await scene.deliver();
  expect(await scene.endpoint()).toMatchObject({ failing_since: null });
  scene.answer = noAnswer("timeout");
  const since = scene.clock.now().toISOString();
  await scene.deliver();
  scene.clock.advance(5 * day - 1);
  await scene.deliver();
  expect(await scene.endpoint()).toMatchObject({ enabled: true, failing_since: since });
});

test("a new URL restarts the 5 days", async () => {
  const scene = await newScene();
  await scene.deliver();
  scene.clock.advance(5 * day);
  expect(await scene.patch({ url: `${webhookUrl}/2` })).toMatchObject({ failing_since: null });
  await scene.deliver();
  expect(await scene.endpoint()).toMatchObject({ enabled: true, failing_since: scene.clock.now().toISOString() });
});

test("an endpoint that answers 410 is disabled at once with the reason `gone`", async () => {
  const scene = await newScene();
  scene.answer = answered(410);
  await scene.deliver();
  expect(await scene.endpoint()).toMatchObject({ enabled: false, disabled_reason: "gone" });
});

test("health counts the attempts of 24 hours and shows the last success and failure of any time", async () => {
  const scene = await newScene();
  const health = async () =>
    expectStatus(200, await (await scene.school.owner.signedInAgain()).get(`${base}/${scene.id}/health`)).body.data;
  expect(await health()).toEqual({
    since: "2026-06-13T09:00:00.000Z",
    attempts: 0,
    succeeded: 0,
    success_rate: null,
    p50_ms: null,
    p95_ms: null,
    last_success_at: null,
    last_failure: null,
    failing_since: null,
  });

  for (let took = 1; took <= 19; took += 1) {
    scene.answer = answered(200, took);
    await scene.deliver();
  }
  scene.clock.advance(second);
  scene.answer = noAnswer("timeout");
  await scene.deliver();
  const failed = { at: "2026-06-14T09:00:01.000Z", error_class: "timeout" };
  const known = { last_success_at: "2026-06-14T09:00:00.000Z", last_failure: failed, failing_since: failed.at };
  expect(await health()).toEqual({
    since: "2026-06-13T09:00:01.000Z",
    attempts: 20,
    succeeded: 19,
    success_rate: 0.95,
    p50_ms: 10,
    p95_ms: 19,
    ...known,
  });
  // An attempt that started exactly 24 hours ago still counts.
  scene.clock.advance(day);
  expect(await health()).toMatchObject({ attempts: 1, succeeded: 0, success_rate: 0, p50_ms: 10_000, p95_ms: 10_000 });
  scene.clock.advance(1);
  expect(await health()).toMatchObject({ attempts: 0, success_rate: null, ...known });
});

test("health is computed from indexes", async () => {
  const school = await newSchool();
  const endpointId = await create(school);
  if (!isId<"webhook_endpoint">(endpointId)) throw new Error("An endpoint has an id.");
  const now = toInstant(school.installation.clock.now());
  const plan = await tenantOf(school).read((reader) =>
    planOf(reader, (explained) => endpointHealth(explained, { endpointId, now })),
  );
  const ofTables = plan.filter((line) => /deliveries|delivery_attempts/.test(line));
  expect(ofTables.map((line) => line.replace("COVERING ", ""))).toEqual([
    "SEARCH deliveries USING INDEX deliveries_endpoint (endpoint_id=?)",
    "SEARCH delivery_attempts USING INDEX sqlite_autoindex_delivery_attempts_1 (delivery_id=?)",
    "SEARCH deliveries USING INDEX deliveries_ended (endpoint_id=? AND status=?)",
  ]);
});

const deliveriesOfLate = async (school: School, eventId: string | undefined) =>
  deliveriesOf({ ...school, owner: await school.owner.signedInAgain() }, eventId);
