import { expect, test } from "bun:test";
import { adminGrant, adminRevoke } from "../../../src/modules/operations/account-commands.ts";
import { recordRun } from "../../../src/scheduler/history.ts";
import { newInstallation } from "../../support/installation.ts";
import { unexamined } from "../../support/operator.ts";
import { expectStatus, newOwnSchool } from "../../support/school.ts";

const on = { WINDSOCK_DEBUG_ENDPOINTS: "1" };
const paths = ["/debug/schedulers", "/debug/schedulers/intents", "/debug/schedulers/NO", "/debug/schedulers/nothing"];

test("/debug/schedulers lists all jobs with their schedules and last runs, newest first", async () => {
  const { storage, scheduler, call } = await newInstallation({ env: on });
  for (let run = 1; run <= 12; run += 1)
    await recordRun(storage.control, "intents", {
      started_at: `2026-06-14T08:${run + 10}:00.000Z` as never,
      finished_at: `2026-06-14T08:${run + 10}:00.250Z` as never,
      outcome: run === 12 ? "failed" : "succeeded",
      summary: `Run ${run}.`,
    });
  const { data } = expectStatus(200, await call("GET", "/debug/schedulers", { from: "127.0.0.1" })).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(scheduler.jobs().map(({ name }) => name));
  const { runs, ...intents } = data.find(({ name }: { name: string }) => name === "intents");
  expect(intents).toEqual({
    name: "intents",
    schedule: "*/5 * * * *",
    description: expect.any(String),
    next_run_at: null,
    running_since: null,
    progress: null,
    failures_in_a_row: 1,
  });
  expect(runs).toHaveLength(10);
  expect(runs[0]).toEqual({
    started_at: "2026-06-14T08:22:00.000Z",
    finished_at: "2026-06-14T08:22:00.250Z",
    duration_ms: 250,
    outcome: "failed",
    summary: "Run 12.",
  });

  const one = expectStatus(200, await call("GET", "/debug/schedulers/intents", { from: "::1" })).body.data;
  expect(one.runs).toHaveLength(12);
});

test("/debug/schedulers shows when a job runs next if the scheduler is started", async () => {
  const { scheduler, call } = await newInstallation({ env: on });
  scheduler.start();
  const { data } = expectStatus(
    200,
    await call("GET", "/debug/schedulers/session-cleanup", { from: "127.0.0.1" }),
  ).body;
  expect(data.next_run_at).toBe("2026-06-15T03:17:00.000Z");
});

test("a malformed job name gets 400, an unknown job gets 404", async () => {
  const { call } = await newInstallation({ env: on });
  for (const name of ["NO", "1st", "a_b", `a${"b".repeat(64)}`, "%C3%A4", "-"])
    expectStatus(400, await call("GET", `/debug/schedulers/${name}`, { from: "127.0.0.1" }));
  expectStatus(404, await call("GET", `/debug/schedulers/a${"b".repeat(63)}`, { from: "127.0.0.1" }));
});

test("requests from another machine get 404, signed in or not", async () => {
  const { installation, owner } = await newOwnSchool({ env: on });
  for (const from of ["192.0.2.1", "10.0.0.1", "::ffff:192.0.2.1", "nonsense"])
    for (const path of paths) {
      expectStatus(404, await installation.call("GET", path, { from }));
      expectStatus(404, await installation.call("GET", path, { from, token: owner.token }));
    }
  expectStatus(200, await installation.call("GET", "/debug/schedulers", { from: "::ffff:127.0.0.1" }));
});

test("an account with platform_admin.debug:read has access from any address until the permission is revoked", async () => {
  const { installation: at, owner, student } = await newOwnSchool({ env: on });
  const deps = { ...at, ...unexamined };
  const look = (token: string, path = "/debug/schedulers") => at.call("GET", path, { from: "192.0.2.1", token });
  await adminGrant.handle(deps, {
    email: owner.email,
    permission: "platform_admin.debug:read",
    unverified: true,
  });
  await adminGrant.handle(deps, {
    email: student.email,
    permission: "platform_admin.listing:review",
    unverified: true,
  });

  expectStatus(200, await look(owner.token));
  expectStatus(200, await look(owner.token, "/debug/schedulers/intents"));
  expectStatus(400, await look(owner.token, "/debug/schedulers/NO"));
  expectStatus(404, await look(student.token));
  // Also through a proxy.
  const headers = { "x-forwarded-for": "192.0.2.1" };
  expectStatus(200, await at.call("GET", "/debug/schedulers", { from: "127.0.0.1", token: owner.token, headers }));

  await adminRevoke.handle(deps, { email: owner.email, permission: "platform_admin.debug:read" });
  expectStatus(404, await look(owner.token));
});

test("a request that a proxy on this machine forwards gets 404", async () => {
  const { call } = await newInstallation({ env: on });
  for (const header of [
    "x-forwarded-for",
    "X-Forwarded-Host",
    "x-forwarded-proto",
    "forwarded",
    "x-real-ip",
    "via",
    "cf-connecting-ip",
    "CF-Ray",
  ]) {
    const headers = { [header]: "127.0.0.1" };
    expectStatus(404, await call("GET", "/debug/schedulers", { from: "127.0.0.1", headers }));
  }
});

test("a request with a Host header other than loopback gets 404", async () => {
  const { call } = await newInstallation({ env: on });
  const look = (host: string) => call("GET", "/debug/schedulers", { from: "127.0.0.1", headers: { host } });
  for (const host of ["localhost", "LOCALHOST:3000", "127.0.0.1:3000", "127.0.0.2", "[::1]:3000", "[::1]"])
    expectStatus(200, await look(host));
  for (const host of ["ops.example.com", "localhost.example.com", "192.0.2.1:3000", "[2001:db8::1]", "1", ""])
    expectStatus(404, await look(host));
});

test("/debug gets 404 for all requests unless it is enabled", async () => {
  const { call } = await newInstallation();
  for (const path of paths) {
    expectStatus(404, await call("GET", path, { from: "127.0.0.1" }));
    expectStatus(404, await call("GET", path, { from: "127.0.0.1", token: "not.a.token" }));
  }
});
