/** The headers of an endpoint: each delivery contains them, and no response shows their values. */
import { expect, test } from "bun:test";
import { sealHeaders } from "../../../src/events/custom-headers.ts";
import { webhookEndpoints } from "../../../src/events/events.tables.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { answered, delivering } from "./dispatching.ts";
import { deliveriesOf, emitTests, tenantOf } from "./events.ts";
import { webhookUrl } from "./scenery.ts";

const base = "/integrations/webhook-endpoints";
const body = { url: webhookUrl, event_types: ["webhook.test"] };
const secretHeader = { "X-Receiver-Token": "a secret of the receiver's", accept: "*/*" };

const create = async ({ owner }: School, headers: object) =>
  expectStatus(201, await owner.post(base, { ...body, headers })).body.data;

test("each delivery contains the endpoint's headers, and their values appear nowhere else", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  const { id, headers } = await create(school, secretHeader);
  expect(headers).toEqual({ "X-Receiver-Token": "***", accept: "***" });
  const [eventId] = await emitTests(school, 1);
  const receiver = delivering(school, () => answered(200));

  await receiver.settle();

  expect(receiver.sent).toHaveLength(1);
  expect({ ...receiver.sent[0]?.headers }).toMatchObject({ ...secretHeader, "Content-Type": "application/json" });
  const [delivery] = await deliveriesOf(school, eventId);
  const logged = expectStatus(200, await owner.get(`/integrations/deliveries/${delivery?.id}`));
  const [attempt] = logged.body.data.attempts;
  expect(attempt.request_headers).toMatchObject({
    "X-Receiver-Token": "***",
    accept: "***",
    "X-SVC-Webhook-Delivery": delivery?.id,
  });
  expect(attempt.request_headers["X-SVC-Webhook-Signature"]).toMatch(/^sha256=/);
  const rows = await tenantOf(school).read((reader) => reader.select().from(webhookEndpoints));
  const all = [logged.text, (await owner.get(base)).text, (await owner.get("/audit-log")).text, JSON.stringify(rows)];
  for (const text of [...all, installation.logged.join()]) expect(text).not.toContain("a secret of");
  expect((await owner.get(`${base}/${id}`)).body.data.headers).toEqual(headers);
});

test("given headers replace all headers, an empty object removes them, and no field keeps them", async () => {
  const school = await newSchool();
  const { id } = await create(school, secretHeader);
  const receiver = delivering(school, () => answered(200));
  const sentWith = async (change: object) => {
    expectStatus(200, await school.owner.patch(`${base}/${id}`, change));
    await emitTests(school, 1);
    await receiver.settle();
    const { headers = {} } = receiver.sent.at(-1) ?? {};
    return Object.keys(headers).filter((name) => !/^(X-SVC-|webhook-|Content-Type|traceparent)/.test(name));
  };
  expect(await sentWith({ description: "New" })).toEqual(["X-Receiver-Token", "accept"]);
  expect(await sentWith({ headers: { "X-Other": "1" } })).toEqual(["X-Other"]);
  expect(await sentWith({ headers: {} })).toEqual([]);
  expect((await school.owner.get(`${base}/${id}`)).body.data.headers).toEqual({});
});

test("a masked value keeps the stored value, and is rejected if there is none", async () => {
  const school = await newSchool();
  const { owner } = school;
  const { id, headers } = await create(school, secretHeader);
  const receiver = delivering(school, () => answered(200));
  const sentWith = async (change: object) => {
    expectStatus(200, await owner.patch(`${base}/${id}`, { headers: change }));
    await emitTests(school, 1);
    await receiver.settle();
    return { ...receiver.sent.at(-1)?.headers };
  };
  expect(await sentWith(headers)).toMatchObject(secretHeader);
  const changed = await sentWith({ "x-receiver-token": "***", accept: "text/plain", "X-New": "new" });
  expect(changed).toMatchObject({
    "x-receiver-token": secretHeader["X-Receiver-Token"],
    accept: "text/plain",
    "X-New": "new",
  });
  const missing = {
    path: "body.headers.X-Gone",
    code: "unknown",
    message: "*** keeps the stored value, but there is none.",
  };
  for (const refused of [
    await owner.patch(`${base}/${id}`, { headers: { "X-Gone": "***" } }),
    await owner.post(base, { ...body, headers: { "X-Gone": "***" } }),
  ])
    expect(expectStatus(400, refused).body.issues).toEqual([missing]);
});

test("stored values are not sent to another origin: the change requires the headers again", async () => {
  const school = await newSchool();
  const { owner } = school;
  const { id } = await create(school, secretHeader);
  const change = (sent: object) => owner.patch(`${base}/${id}`, sent);
  const url = "https://elsewhere.example.com/windsock";
  expect(expectStatus(400, await change({ url })).body.issues).toMatchObject([
    { path: "body.headers", code: "required" },
  ]);
  expectStatus(400, await change({ url, headers: { "X-Receiver-Token": "***" } }));
  expectStatus(200, await change({ url: `${webhookUrl}/on/the/same/host` }));
  expect((await owner.get(`${base}/${id}`)).body.data.headers).toEqual({ "X-Receiver-Token": "***", accept: "***" });
  expect(expectStatus(200, await change({ url, headers: {} })).body.data).toMatchObject({ url, headers: {} });
  expectStatus(200, await change({ url: webhookUrl }));
});

test("reserved names, malformed headers and too many headers are rejected", async () => {
  const { owner } = await newSchool();
  const reserved =
    "Host content-length Content-Type USER-AGENT Connection keep-alive te Trailer Transfer-Encoding upgrade Proxy-Authorization expect X-SVC-Webhook-Signature x-svc-anything webhook-id Webhook-Timestamp WEBHOOK-SIGNATURE";
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`X-${at}`, "1"]));
  const bad: object[] = [
    ...reserved.split(" ").map((name) => ({ [name]: "1" })),
    { "X Space": "1" },
    { "X-Ü": "1" },
    { "": "1" },
    { "X-Line": "one\r\nX-Two: two" },
    { "X-Line": "" },
    { "X-Line": " padded" },
    { "X-Line": "Ü" },
    { "X-Line": "x".repeat(1025) },
    { "X-Twice": "1", "x-twice": "2" },
    many(21),
  ];
  for (const headers of bad) {
    const { issues } = expectStatus(400, await owner.post(base, { ...body, headers })).body;
    expect(issues.every(({ path }: { path: string }) => path.startsWith("body.headers"))).toBe(true);
  }
  const messageOf = async (name: string) =>
    expectStatus(400, await owner.post(base, { ...body, headers: { [name]: "1" } })).body.issues[0].message;
  expect(await messageOf("Host")).toBe("Windsock or the connection sets this header.");
  expect(await messageOf("X Space")).toBe("Must be a header name.");
  expectStatus(201, await owner.post(base, { ...body, headers: { ...many(19), "X-Long": "x".repeat(1024) } }));
});

test("a stored header whose name has been reserved since is not sent", async () => {
  const school = await newSchool();
  const { id } = await create(school, secretHeader);
  const tenant = tenantOf(school);
  const headers = sealHeaders(await tenant.dataKey(), id, { "Webhook-Signature": "v1,own", "X-Kept": "1" });
  await tenant.write((tx) => tx.update(webhookEndpoints).set({ headers }));
  await emitTests(school, 1);
  const receiver = delivering(school, () => answered(200));

  await receiver.settle();

  const sent = receiver.sent[0]?.headers ?? {};
  expect(Object.keys(sent).filter((name) => /^(webhook-signature|x-kept)$/i.test(name))).toEqual([
    "X-Kept",
    "webhook-signature",
  ]);
  expect(sent["webhook-signature"]).toMatch(/^v1,[^ ]{44}$/);
});

test("deleting an endpoint deletes its secrets and headers", async () => {
  const school = await newSchool();
  const { id } = await create(school, secretHeader);
  expectStatus(200, await school.owner.post(`${base}/${id}/rotate-secret`));
  expectStatus(200, await school.owner.delete(`${base}/${id}`));
  const rows = await tenantOf(school).read((reader) => reader.select().from(webhookEndpoints));
  expect(rows).toMatchObject([
    { primary_secret: "", secondary_secret: null, secondary_until: null, headers: null, header_names: null },
  ]);
});
