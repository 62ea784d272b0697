/** The webhooks of the OpenAPI document match what receivers get. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { shift, toInstant } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { deliveryTimeout } from "../../src/events/outbound/sender.ts";
import { retryDelays } from "../../src/events/retry-delays.ts";
import { deliveryHeaders, envelope } from "../../src/events/signing.ts";
import { newSecret } from "../../src/events/signing-secrets.ts";
import { eventCatalog, jobs } from "../../src/modules.ts";
import { type ApiDocument, inlined, type Operation, type Parameter } from "../support/document.ts";
import { schemaValidators } from "../support/document-check.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { expectStatus, newSchool, type School } from "../support/school.ts";
import { changeEach, newStage } from "../support/stage.ts";
import * as facts from "./facts.ts";

interface Served extends ApiDocument {
  webhooks: Record<string, { post: Operation }>;
  components: ApiDocument["components"] & { parameters: Record<string, Parameter & { description: string }> };
}

let school: School<Installation>;
let document: Served;
let validator: ReturnType<typeof schemaValidators>;
beforeAll(async () => {
  const installation = await newInstallation({ shared: true });
  school = await newSchool(installation);
  document = (await installation.call("GET", "/openapi.json")).body;
  validator = schemaValidators(document);
});
afterAll(() => school.installation.close());

const webhook = (type: string): Operation => {
  const found = document.webhooks[type]?.post;
  if (!found) throw new Error(`There is no webhook ${type}.`);
  return found;
};

const accepts = (type: string, body: unknown): boolean =>
  validator(`/webhooks/${type}/post/requestBody/content/application~1json/schema`)(body);

test("there is one webhook for each event type", () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(facts.eventTypes));
  expect(Object.values(document.webhooks).map((item) => Object.keys(item))).toEqual(
    Object.keys(facts.eventTypes).map(() => ["post"]),
  );
});

describe.each(eventCatalog.entries.map((entry) => [entry.type, entry] as const))("%s", (type, entry) => {
  test("states its trigger and its stability", () => {
    const { summary = "", description = "" } = webhook(type);
    expect(`${summary}.`).toBe(entry.description);
    expect(description.toLowerCase()).toContain(`${entry.stability}:`);
  });

  test("has a valid example, and accepts the delivered envelope, of its own type only", () => {
    const { example } = webhook(type).requestBody?.content["application/json"] ?? {};
    expect(example).toMatchObject({ event: { type, data: entry.example } });
    expect(accepts(type, example)).toBe(true);

    const id = `evt_${newId(school.installation.clock).replaceAll("-", "")}` as const;
    const occurredAt = toInstant(school.installation.clock.now());
    const sent = JSON.parse(envelope({ type, id, occurredAt, data: JSON.stringify(entry.example) }));
    expect(accepts(type, sent)).toBe(true);
    const others = facts.eventTypes;
    for (const other of Object.keys(others).filter((name) => name !== type)) expect(accepts(other, sent)).toBe(false);
    for (const field of ["id", "occurred_at", "data"])
      expect(accepts(type, { event: { ...sent.event, [field]: undefined } })).toBe(false);
    expect(accepts(type, { event: { ...sent.event, data: { unlike: "it" } } })).toBe(false);
  });
});

test("the headers are those of a delivery, before and after a rotation", () => {
  const now = toInstant(school.installation.clock.now());
  const headers = (secondary?: { secret: string; until: typeof now }) => {
    const { "Content-Type": type, ...own } = deliveryHeaders("{}", {
      deliveryId: newId<"delivery">(school.installation.clock),
      secrets: { primary: newSecret(), secondary },
      now,
    });
    expect(type).toBe("application/json");
    return own;
  };
  const rotated = headers({ secret: newSecret(), until: shift(now, 1) });
  const declared = Object.entries(document.components.parameters).filter(([name]) => name.includes("Webhook"));
  expect(declared.map(([, { in: place, name }]) => [place, name])).toEqual(
    Object.keys(rotated).map((name) => ["header", name]),
  );
  expect(declared.filter(([, { required }]) => required).map(([, { name }]) => name)).toEqual(Object.keys(headers()));
  for (const [component, { name, description }] of declared) {
    const validate = validator(`/components/parameters/${component}/schema`);
    expect([name, validate(rotated[name]), validate("else")]).toEqual([name, true, false]);
    expect(description.length).toBeGreaterThan(10);
  }

  const shared = declared.map(([component]) => ({ $ref: `#/components/parameters/${component}` }));
  for (const type of Object.keys(facts.eventTypes)) expect<unknown>(webhook(type).parameters).toEqual(shared);
  const optional = declared.filter(([, { required }]) => !required);
  expect(optional).toHaveLength(2);
  for (const [, { name, description }] of optional)
    expect([name, description]).toEqual([
      name,
      expect.stringContaining(`${facts.lifetimes.secondarySecretHours} hours`),
    ]);
});

test("the responses distinguish success, gone and retried", () => {
  const pauses = /after ([\d, and]+) seconds/;
  for (const type of Object.keys(facts.eventTypes)) {
    const { responses } = inlined(document).webhooks[type]?.post ?? webhook(type);
    expect(new Set(Object.keys(responses))).toEqual(new Set(["2XX", "410", "default"]));
    expect(responses["2XX"]?.description).toContain(`within ${deliveryTimeout / 1000} seconds`);
    expect(responses["410"]?.description).toContain("disabled");
    const [, said = ""] = pauses.exec(responses.default?.description ?? "") ?? [];
    expect(said.match(/\d+/g)?.map((pause) => Number(pause) * 1000)).toEqual(retryDelays);
  }
});

test("a school emits the events that the catalog says are emitted, and its deliveries match the document", async () => {
  const stage = await newStage();
  await changeEach(stage);
  for (const { name, dueFrom } of jobs) if (dueFrom) await stage.installation.scheduler.runNow(name);
  const types = new Set<string>();
  for (let path = "/integrations/events?limit=500"; path !== ""; ) {
    const { data: events, page } = expectStatus(200, await stage.school.owner.get(path)).body;
    for (const { type, id, occurred_at, data } of events) {
      expect([type, accepts(type, { event: { type, id, occurred_at, data } })]).toEqual([type, true]);
      types.add(type);
    }
    path = page.next_cursor === null ? "" : `/integrations/events?limit=500&cursor=${page.next_cursor}`;
  }
  await stage.installation.close();
  // Each is emitted by some POST or PATCH or by a job.
  expect(types).toEqual(new Set(eventCatalog.entries.map(({ type }) => type)));
}, 300_000);
