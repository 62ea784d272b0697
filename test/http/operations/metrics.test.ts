import { expect, test } from "bun:test";
import { toInstant } from "../../../src/core/clock.ts";
import { deliveries } from "../../../src/events/events.tables.ts";
import { adminGrant } from "../../../src/modules/operations/account-commands.ts";
import { newInstallation } from "../../support/installation.ts";
import { unexamined } from "../../support/operator.ts";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";
import { tenantOf } from "../integrations/events.ts";
import { backlog, knowing } from "./backlog.ts";

const on = { WINDSOCK_METRICS: "1", WINDSOCK_DEBUG_ENDPOINTS: "1" };
const local = { from: "127.0.0.1" };

const seriesOf = (text: string, name: string): string[] =>
  text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

test("/metrics shows backlog and lag of organizations with unfinished deliveries", async () => {
  const known: string[] = [];
  const at = await newInstallation({ env: on, deliveries: knowing(known) });
  const [busy, idle] = [await newSchool(at), await newSchool(at)];
  known.push(busy.orgId, idle.orgId);
  await backlog(at, busy, 3);
  at.clock.advance(90_000);

  const answer = expectStatus(200, await at.call("GET", "/metrics", local));
  expect(answer.headers.get("content-type")).toStartWith("text/plain");
  const series = (name: string) => seriesOf(answer.text, name);
  expect(series("windsock_webhook_backlog")).toEqual([`windsock_webhook_backlog{organization="${busy.orgId}"} 3`]);
  expect(series("windsock_webhook_lag_seconds")).toEqual([
    `windsock_webhook_lag_seconds{organization="${busy.orgId}"} 90`,
  ]);
  expect(series("windsock_webhook_in_flight")).toEqual(["windsock_webhook_in_flight 3"]);
  expect(series("windsock_webhook_waiting")).toEqual(["windsock_webhook_waiting 7"]);
  expect(series("windsock_webhook_attempts_total").sort()).toEqual([
    'windsock_webhook_attempts_total{outcome="succeeded"} 40',
    'windsock_webhook_attempts_total{outcome="timeout"} 2',
  ]);
  for (const name of ["process_resident_memory_bytes", "windsock_event_loop_lag_seconds", "process_cpu_seconds_total"])
    expect(series(name)).toHaveLength(1);
  expect(series("windsock_open_tenants")).toEqual(["windsock_open_tenants 2"]);
  expect(series("windsock_unavailable_tenants")).toEqual(["windsock_unavailable_tenants 0"]);
  if (process.platform === "linux") {
    for (const name of ["process_open_fds", "process_max_fds"])
      expect(Number(series(name)[0]?.split(" ")[1])).toBeGreaterThan(10);
  }

  // The figures are cached for ten seconds, so that two collectors do not read everything twice.
  await backlog(at, idle, 1);
  at.clock.advance(9_999);
  expect(seriesOf((await at.call("GET", "/metrics", local)).text, "windsock_webhook_backlog")).toHaveLength(1);
  at.clock.advance(1);
  expect(seriesOf((await at.call("GET", "/metrics", local)).text, "windsock_webhook_backlog")).toHaveLength(2);
});

test("/metrics omits an organization after its last delivery", async () => {
  const known: string[] = [];
  const school = await newOwnSchool({ env: on, deliveries: knowing(known) });
  const { installation: at } = school;
  known.push(school.orgId);
  await backlog(at, school, 2);
  const series = async () => {
    const { text } = await at.call("GET", "/metrics", local);
    return ["windsock_webhook_backlog", "windsock_webhook_lag_seconds"].flatMap((name) => seriesOf(text, name));
  };
  expect(await series()).toHaveLength(2);

  await tenantOf(school).write((tx) =>
    tx.update(deliveries).set({ status: "succeeded", due_at: null, finished_at: tx.now }),
  );
  at.clock.advance(10_000);
  expect(await series()).toEqual([]);
});

test("/metrics counts requests by route, and labels contain no paths or methods that clients can invent", async () => {
  const school = await newOwnSchool({ env: on });
  const { installation: at } = school;
  await school.owner.get("/aircraft");
  await at.call("GET", `/nothing/${school.orgId}`).catch(() => undefined);
  await at.app.handle(new Request("http://localhost/health", { method: "PROPFIND" }));
  await new Promise((resolve) => setImmediate(resolve)); // requests are counted after their response
  const { text } = await at.call("GET", "/metrics", local);
  const counts = seriesOf(text, "windsock_http_request_duration_seconds_count");
  expect(counts).toContain(
    'windsock_http_request_duration_seconds_count{method="GET",route="/orgs/:orgId/aircraft/",status="200"} 1',
  );
  expect(text).not.toContain(school.orgId);
  expect(text).not.toContain("PROPFIND");
});

test("/debug/dispatcher shows the same figures, largest lag first", async () => {
  const known: string[] = [];
  const at = await newInstallation({ env: on, deliveries: knowing(known) });
  const [late, early] = [await newSchool(at), await newSchool(at)];
  known.push(late.orgId, early.orgId, "01890a5d-ac96-774b-bcce-b302099a8057");
  await backlog(at, early, 2);
  at.clock.advance(60_000);
  await backlog(at, late, 1);
  const { data } = expectStatus(200, await at.call("GET", "/debug/dispatcher", local)).body;
  const read_at = toInstant(at.clock.now());
  const named = { organization_name: expect.any(String) };
  expect(data).toEqual({
    in_flight: 3,
    slow: 1,
    waiting: 7,
    active: 2,
    scheduled: 5,
    attempts: { succeeded: 40, timeout: 2 },
    organizations: [
      { ...named, organization_id: early.orgId, backlog: 2, lag_seconds: 60, failing_endpoints: 0, read_at },
      { ...named, organization_id: late.orgId, backlog: 1, lag_seconds: 0, failing_endpoints: 0, read_at },
    ],
  });
  // An organization with a missing file does not hide the others.
  expect(at.logged.some((line) => line.includes("A backlog can't be read."))).toBe(true);
});

test.each(["/metrics", "/debug/dispatcher"])(
  "%s allows only requests from this machine and accounts with the permission",
  async (path) => {
    const { installation: at, owner } = await newOwnSchool({ env: on });
    const from = "192.0.2.1";
    expectStatus(404, await at.call("GET", path, { from }));
    expectStatus(404, await at.call("GET", path, { from, token: owner.token }));
    expectStatus(404, await at.call("GET", path, { ...local, headers: { "x-forwarded-for": "192.0.2.1" } }));
    expectStatus(404, await at.call("GET", path, { ...local, headers: { host: "ops.example.com" } }));
    expectStatus(401, await at.call("GET", path, { ...local, token: "not.a.token" }));
    await adminGrant.handle(
      { ...at, ...unexamined },
      { email: owner.email, permission: "platform_admin.debug:read", unverified: true },
    );
    expectStatus(200, await at.call("GET", path, { from, token: owner.token }));
  },
);

test("/metrics gets 404 for all requests unless it is enabled", async () => {
  const { call } = await newInstallation();
  expectStatus(404, await call("GET", "/metrics", local));
  expectStatus(404, await call("GET", "/metrics", { ...local, token: "not.a.token" }));
});
