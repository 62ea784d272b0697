import { expect, test } from "bun:test";
import program from "../../../package.json" with { type: "json" };
import { capabilityNames } from "../../../src/core/capabilities.ts";
import { withheldFeatures } from "../../../src/core/secure-origin.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";

test("/health returns ok in plain text, and the response is not cacheable", async () => {
  const installation = await newInstallation();

  const answer = expectStatus(200, await installation.call("GET", "/health", { token: "nonsense" }));

  expect(answer.text).toBe("ok");
  expect(answer.headers.get("content-type")).toStartWith("text/plain");
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

test("/health/ready returns ready without credentials", async () => {
  const installation = await newInstallation();
  expect(expectStatus(200, await installation.call("GET", "/health/ready")).text).toBe("ready");
});

test("/health/ready returns 503 while no more schools can be opened, and /health does not", async () => {
  const installation = await newInstallation();
  Object.assign(installation.storage.tenants, { canOpen: () => false });
  const answer = expectStatus(503, await installation.call("GET", "/health/ready"));
  expect(answer.body.error.code).toBe("UNAVAILABLE");
  expectStatus(200, await installation.call("GET", "/health"));
});

test("/capabilities returns the version and whether each module is available", async () => {
  const installation = await newInstallation();

  const { data } = expectStatus(200, await installation.call("GET", "/capabilities")).body;

  expect(data.version).toBe(program.version);
  expect(data.modules).toEqual(Object.fromEntries(capabilityNames.map((name) => [name, true])));
});

test.each([
  ["https://ops.example.com", []],
  ["http://127.0.0.1:3000", []],
  ["http://school.lan:3000", [...withheldFeatures]],
])("/capabilities says for %s that browsers withhold %j", async (url, withheld) => {
  const installation = await newInstallation({ env: { WINDSOCK_PUBLIC_URL: url } });
  const { data } = expectStatus(200, await installation.call("GET", "/capabilities")).body;
  expect(data.origin).toEqual({ url, withheld });
});

test.each([true, false])("/capabilities returns whether mail is sent: %p", async (mail) => {
  const installation = await newInstallation({ mail });
  expect(expectStatus(200, await installation.call("GET", "/capabilities")).body.data.mail).toBe(mail);
});

test("/capabilities says that no organization has signed up until one has, and nothing more about it", async () => {
  const installation = await newInstallation();
  const capabilities = async () => expectStatus(200, await installation.call("GET", "/capabilities"));
  expect((await capabilities()).body.data.has_organizations).toBe(false);
  await newSchool(installation);
  const after = await capabilities();
  expect(after.body.data.has_organizations).toBe(true);
  await newSchool(installation);
  expect((await capabilities()).text).toBe(after.text);
});

test("the audit log shows actor, action and subject, newest first", async () => {
  const { owner, student, aircraftId } = await newSchool();
  const before = (await owner.get(`/aircraft/${aircraftId}`)).body.data;
  const changed = await owner.patch(`/aircraft/${aircraftId}`, { seats: 4 });
  const after = expectStatus(200, changed).body.data;

  const { data, page } = expectStatus(200, await owner.get("/audit-log?with_total=true")).body;

  expect(data[0]).toEqual({
    seq: page.total,
    at: "2026-06-14T09:00:00.000Z",
    actor: { kind: "user", id: owner.userId, name: "Olga Owner" },
    action: "aircraft.updated",
    subject: { kind: "aircraft", id: aircraftId },
    before,
    after,
    request_id: changed.headers.get("x-request-id"),
    hash: data[0].hash,
  });
  const seqs = data.map(({ seq }: { seq: number }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a: number, b: number) => b - a));
  expect(seqs.at(-1)).toBe(1);
  expectStatus(403, await student.get("/audit-log"));
});

test("the audit log is filtered and paged", async () => {
  const { owner, student, aircraftId } = await newSchool();
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { seats: 4 }));
  const actions = async (query: string) =>
    expectStatus(200, await owner.get(`/audit-log?${query}`)).body.data.map(({ action }: { action: string }) => action);

  expect(await actions(`subject_id=${aircraftId}`)).toEqual(["aircraft.updated", "aircraft.created"]);
  expect(await actions("subject_kind=aircraft&action=aircraft.created")).toEqual(["aircraft.created"]);
  expect(await actions(`subject_kind=aircraft&subject_id=${student.personId}`)).toEqual([]);
  expect(await actions("subject_kind=aircraft&limit=1&offset=1")).toEqual(["aircraft.created"]);
  expectStatus(400, await owner.get("/audit-log?limit=0"));
});

test("only members can access the audit log", async () => {
  const { installation, orgId } = await newOwnSchool();
  const stranger = (await newSchool(installation)).owner;

  expectStatus(401, await installation.call("GET", `/orgs/${orgId}/audit-log`));
  expectStatus(404, await stranger.call("GET", `/orgs/${orgId}/audit-log`));
});
