/** What the operator's page shows, and that nobody else sees it. */
import { expect, test } from "bun:test";
import { mkdtemp, rm, stat, truncate, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toInstant } from "../../../src/core/clock.ts";
import { type Finding, findingCodeNames, findingCodes, warning } from "../../../src/core/finding.ts";
import { platformPermissions } from "../../../src/core/permissions.ts";
import { webhookEndpoints } from "../../../src/events/events.tables.ts";
import { adminGrant, adminRevoke } from "../../../src/modules/operations/account-commands.ts";
import { doctor } from "../../../src/modules/operations/commands.ts";
import { orgList, orgSuspend } from "../../../src/modules/operations/org-commands.ts";
import { recordRun } from "../../../src/scheduler/history.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { newOperator, unexamined } from "../../support/operator.ts";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";
import { backlog, knowing } from "./backlog.ts";

const paths = [
  "/installation",
  "/installation/findings",
  "/installation/schools",
  "/installation/jobs",
  "/installation/jobs/backup",
  "/installation/deliveries",
];

/** A directory of backups, which is removed after the test. */
async function newPlace(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), "windsock-backups-"));
  afterThisTest(() => rm(place, { recursive: true, force: true }));
  return place;
}

/** What the operator gets at a path. */
async function operatorOf(at: Installation) {
  const { token } = await newOperator(at);
  return async (path: string) => expectStatus(200, await at.call("GET", `/installation${path}`, { token })).body;
}

test("only accounts with platform_admin.installation:read see the installation, until it is revoked", async () => {
  const { installation: at, owner, student, orgId } = await newOwnSchool();
  const { token } = await newOperator(at);
  const key = expectStatus(
    201,
    await owner.post("/integrations/api-keys", { name: "Key", scopes: ["public.flights:read"] }),
  ).body.data.token;
  const deps = { ...at, ...unexamined };
  // All other permissions for the installation do not help, nor does any role of a school.
  for (const permission of platformPermissions.filter((one) => one !== "platform_admin.installation:read"))
    await adminGrant.handle(deps, { email: student.email, permission, unverified: true });
  for (const path of paths) {
    expectStatus(200, await at.call("GET", path, { token }));
    for (const other of [owner.token, student.token]) {
      expectStatus(404, await at.call("GET", path, { token: other }));
      expectStatus(404, await at.call("GET", path, { token: other, org: orgId, from: "127.0.0.1" }));
      // Not even what is wrong with the request.
      expectStatus(404, await at.call("GET", `${path}?limit=none`, { token: other }));
    }
    for (const nobody of [undefined, "not.a.token", key])
      expectStatus(401, await at.call("GET", path, { ...(nobody && { token: nobody }), from: "127.0.0.1" }));
    const head = new Request(`http://localhost${path}`, {
      method: "HEAD",
      headers: { host: "localhost", authorization: `Bearer ${owner.token}` },
    });
    expect((await at.app.handle(head)).status).toBe(404);
    for (const method of ["POST", "PATCH", "DELETE"])
      expectStatus(405, await at.call(method, path, { token, body: {} }));
  }
  expectStatus(404, await at.call("GET", "/installation/jobs/nothing", { token }));
  expectStatus(400, await at.call("GET", "/installation/schools?q=x", { token }));

  const me = (account: string) => at.call("GET", "/auth/me", { token: account }).then(({ body }) => body.data);
  expect((await me(token)).platform_permissions).toEqual(["platform_admin.installation:read"]);
  const email = (await me(token)).user.email;
  await adminRevoke.handle(deps, { email, permission: "platform_admin.installation:read" });
  for (const path of paths) expectStatus(404, await at.call("GET", path, { token }));
});

test("an unchanged answer is 304", async () => {
  const at = await newInstallation();
  const { token } = await newOperator(at);
  for (const path of paths.filter((path) => path !== "/installation")) {
    const etag = (await at.call("GET", path, { token })).headers.get("etag") ?? "";
    expectStatus(304, await at.call("GET", path, { token, headers: { "if-none-match": etag } }));
  }
});

test("the schools have the sizes of their files, members and backups, in the order that was asked for", async () => {
  const place = await newPlace();
  const at = await newInstallation({ env: { WINDSOCK_BACKUP_DIR: place } });
  const [small, large] = [await newSchool(at), await newSchool(at)];
  expectStatus(200, await small.owner.patch("", { name: "Zulu Flying" }));
  expectStatus(200, await large.owner.patch("", { name: '<b>"Alpha" Flying</b>' }));
  for (let made = 0; made < 40; made += 1)
    expectStatus(201, await large.owner.post("/people", { name: `Person ${made}`, types: ["student"] }));
  await at.scheduler.runNow("backup");
  const backedUpAt = toInstant(at.clock.now());
  const late = await newSchool(at);
  expectStatus(200, await late.owner.patch("", { name: "Mike Flying" }));
  await at.storage.checkpointIdle();
  for (const [hours, { orgId }] of [large, small, late].entries())
    for (const path of [`${orgId}.db`, `${orgId}.db-wal`].map((file) => join(at.directory, file)))
      await utimes(path, at.clock.now(), new Date(at.clock.now().getTime() + hours * 3_600_000)).catch(() => undefined);
  const get = await operatorOf(at);

  const { data } = await get("/schools");
  expect(data.map(({ name }: { name: string }) => name)).toEqual([
    '<b>"Alpha" Flying</b>',
    "Mike Flying",
    "Zulu Flying",
  ]);
  const of = (id: string) => data.find((one: { id: string }) => one.id === id);
  for (const { orgId } of [small, large, late]) {
    const path = join(at.directory, `${orgId}.db`);
    const [file, journal] = await Promise.all([stat(path), stat(`${path}-wal`).catch(() => undefined)]);
    expect(of(orgId).bytes).toBe(file.size + (journal?.size ?? 0));
    const written = Math.max(file.mtimeMs, journal && journal.size > 0 ? journal.mtimeMs : 0);
    expect(Math.abs(Date.parse(of(orgId).written_at) - written)).toBeLessThan(2);
  }
  expect(of(small.orgId)).toEqual({
    id: small.orgId,
    name: "Zulu Flying",
    state: "active",
    removal_at: null,
    created_at: expect.any(String),
    members: 3,
    file_state: "usable",
    unusable_since: null,
    faults: [],
    command: null,
    bytes: expect.any(Number),
    written_at: expect.any(String),
    schema_version: (await get("")).data.schema_version,
    backed_up_at: backedUpAt,
    backup_fault: null,
  });
  expect(of(late.orgId)).toMatchObject({ backed_up_at: null, backup_fault: null });

  const inOrder = async (order: string) =>
    (await get(`/schools?order=${order}`)).data.map(({ id }: { id: string }) => id);
  expect((await inOrder("-bytes"))[0]).toBe(large.orgId);
  expect(await inOrder("-name")).toEqual([small.orgId, late.orgId, large.orgId]);
  expect((await inOrder("backed_up_at"))[0]).toBe(late.orgId);
  expect(await inOrder("-written_at")).toEqual([late.orgId, small.orgId, large.orgId]);
  // By cursor, each once.
  const first = await get("/schools?limit=2&order=-bytes&with_total=true");
  expect(first.page).toMatchObject({ has_more: true, total: 3 });
  const rest = await get(`/schools?limit=2&order=-bytes&cursor=${first.page.next_cursor}`);
  expect([...first.data, ...rest.data].map(({ id }: { id: string }) => id)).toEqual(await inOrder("-bytes"));
});

test("the schools are as `windsock org list` has them, also one that is suspended", async () => {
  const place = await newPlace();
  const at = await newInstallation({ env: { WINDSOCK_BACKUP_DIR: place } });
  const deps = { ...at, ...unexamined, backupPlace: place };
  const [suspended, other] = [await newSchool(at), await newSchool(at)];
  await at.scheduler.runNow("backup");
  const last = await newSchool(at);
  const names = ["Flying 10", "Flying 9", "Alpha Flying"];
  for (const [n, { owner }] of [suspended, other, last].entries())
    expectStatus(200, await owner.patch("", { name: names[n] }));
  await orgSuspend.handle(deps, { id: suspended.orgId, reason: "Invoice 7 is not paid." });
  await at.storage.checkpointIdle();
  const get = await operatorOf(at);
  const { organizations } = await orgList.handle(deps, {});
  expect(organizations.map(({ name }) => name)).toEqual(["Alpha Flying", "Flying 9", "Flying 10"]);
  const { data } = await get("/schools");
  const compared = ({
    id,
    state,
    members,
    bytes,
    written_at,
    schema_version,
    backed_up_at,
  }: (typeof organizations)[0]) => ({ id, state, members, bytes, written_at, schema_version, backed_up_at });
  const byId = (rows: typeof organizations) => rows.map(compared).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(byId(data)).toEqual(byId(organizations));
  expect(data.map(({ state }: { state: string }) => state).sort()).toEqual(["active", "active", "suspended"]);
});

test("a file that can't be used is named with its faults, and with the command that restores its copy", async () => {
  const place = await newPlace();
  const env = { WINDSOCK_BACKUP_DIR: place };
  const first = await newInstallation({ env });
  const { directory, clock } = first;
  const [damaged, copied, sound] = [await newSchool(first), await newSchool(first), await newSchool(first)];
  await first.scheduler.runNow("backup");
  clock.advance(60_000);
  const without = await newSchool(first);
  await first.storage.close();
  for (const { orgId } of [damaged, copied, without]) await truncate(join(directory, `${orgId}.db`), 4096);

  const at = await newInstallation({ env, directory, clock });
  for (const { orgId, owner } of [damaged, without])
    expectStatus(503, await at.call("GET", `/orgs/${orgId}/aircraft`, { token: owner.token }));
  const get = await operatorOf(at);
  const { newest } = (await get("")).data.backups;
  const restore = `windsock restore ${newest.path} --org ${damaged.orgId} --force`;
  const { data } = await get("/schools");
  const of = (id: string) => data.find((one: { id: string }) => one.id === id);
  expect(of(damaged.orgId)).toMatchObject({
    file_state: "unusable",
    unusable_since: toInstant(clock.now()),
    faults: [expect.any(String)],
    command: restore,
  });
  expect(of(without.orgId)).toMatchObject({ command: `windsock check --org ${without.orgId}` });
  // No file was opened for this: what nobody has used is not known to be damaged.
  expect(of(copied.orgId)).toMatchObject({ file_state: "usable", command: null });
  expect(of(sound.orgId)).toMatchObject({ file_state: "usable", command: null });
  expect(at.storage.tenants.isOpen(sound.orgId as never)).toBe(false);

  const { findings } = (await get("/findings")).data;
  expect(findings[0]).toMatchObject({ level: "error", code: "file_unusable", params: { fault: expect.any(String) } });
  expect(findings.map(({ params }: Finding) => params?.command)).toContain(restore);
});

test("the findings are those of `windsock doctor`, the worst first, and each has a case with its values", async () => {
  const place = await newPlace();
  const at = await newInstallation({ env: { WINDSOCK_BACKUP_DIR: place } });
  const failed = { started_at: toInstant(at.clock.now()), finished_at: toInstant(at.clock.now()), outcome: "failed" };
  for (const summary of ["The disk is full.", "The disk is still full."])
    await recordRun(at.storage.control, "scrub", { ...failed, summary } as never);
  const get = await operatorOf(at);

  const { examined_at, findings } = (await get("/findings")).data;
  expect(examined_at).toBe(toInstant(at.clock.now()));
  expect(findings.filter(({ level }: Finding) => level !== "fine")).toEqual([
    {
      subject: "backups",
      level: "warning",
      message: `There is no complete backup of this installation in ${place}.`,
      remedy: expect.stringContaining("windsock backup"),
      code: "backups_none",
      params: { path: place },
    },
    {
      subject: "backups",
      level: "warning",
      message: `${place} is on the disk of the data: what breaks that disk takes both.`,
      remedy: expect.stringContaining("WINDSOCK_BACKUP_COMMAND"),
      code: "backups_same_disk",
      params: { path: place },
    },
    {
      subject: "jobs",
      level: "warning",
      message: `The job scrub has failed 2 times in a row, last at ${examined_at}: The disk is still full.`,
      remedy: expect.stringContaining("windsock jobs run scrub"),
      code: "job_failing",
      params: { job: "scrub", failures: 2, at: examined_at, summary: "The disk is still full." },
    },
  ]);
  for (const { code, params } of findings.filter(({ code }: Finding) => code !== undefined))
    expect(Object.keys(params)).toEqual([...findingCodes[code as keyof typeof findingCodes]]);
  expect(findingCodeNames.length).toBeGreaterThan(20);
});

test("the server is examined again after half a minute, once for all who ask", async () => {
  let examined = 0;
  const at = await newInstallation({
    examine: async () => {
      examined += 1;
      return [warning("mail", `Examined ${examined} times.`, "Nothing.")];
    },
  });
  const get = await operatorOf(at);
  const message = async () => (await get("/findings")).data.findings[0].message;
  expect(await Promise.all([message(), message()])).toEqual(["Examined 1 times.", "Examined 1 times."]);
  at.clock.advance(29_000);
  expect(await message()).toBe("Examined 1 times.");
  at.clock.advance(2_000);
  expect(await message()).toBe("Examined 2 times.");
  const { findings } = await doctor.handle({ ...at, ...unexamined, examine: async () => [warning("a", "b", "c")] }, {});
  expect(findings).toEqual([{ subject: "a", level: "warning", message: "b", remedy: "c" }]);
});

test("a server that can't be examined says so", async () => {
  const at = await newInstallation({ examine: () => Promise.reject(new Error("EMFILE")) });
  const { token } = await newOperator(at);
  const { body } = expectStatus(503, await at.call("GET", "/installation/findings", { token }));
  expect(body.error.message).toContain("windsock doctor");
});

test("the jobs are those of /debug/schedulers, with how often each has failed in a row", async () => {
  const at = await newInstallation({ env: { WINDSOCK_DEBUG_ENDPOINTS: "1" } });
  const run = (job: string, outcome: "succeeded" | "failed", minute: number) =>
    recordRun(at.storage.control, job, {
      started_at: `2026-06-14T08:${minute}:00.000Z` as never,
      finished_at: `2026-06-14T08:${minute}:01.500Z` as never,
      outcome,
      summary: "Done.",
    });
  for (const [minute, outcome] of [
    [10, "failed"],
    [11, "succeeded"],
    [12, "failed"],
    [13, "failed"],
  ] as const)
    await run("backup", outcome, minute);
  await run("scrub", "failed", 14);
  await run("intents", "succeeded", 15);
  const get = await operatorOf(at);
  const { data } = await get("/jobs");
  expect(data).toEqual((await at.call("GET", "/debug/schedulers", { from: "127.0.0.1" })).body.data);
  const failures = Object.fromEntries(
    data.map((job: { name: string; failures_in_a_row: number }) => [job.name, job.failures_in_a_row]),
  );
  expect(failures).toMatchObject({ backup: 2, scrub: 1, intents: 0, "backup-drill": 0 });
  const one = (await get("/jobs/backup")).data;
  expect(one.runs).toHaveLength(4);
  expect(one.runs[0]).toMatchObject({ outcome: "failed", duration_ms: 1500 });
});

test("the deliveries are counts: no address, no body, no name of a person", async () => {
  const known: string[] = [];
  const school = await newOwnSchool({ deliveries: knowing(known), env: { WINDSOCK_METRICS: "1" } });
  const { installation: at } = school;
  known.push(school.orgId);
  await backlog(at, school, 3);
  const get = await operatorOf(at);
  const before = await at.storage.tenants
    .tenant(school.orgId as never)
    .write((tx) => tx.update(webhookEndpoints).set({ failing_since: tx.now }));
  expect(before).toBeDefined();
  at.clock.advance(90_000);
  const { data } = await get("/deliveries");
  expect(data.organizations).toEqual([
    {
      organization_id: school.orgId,
      organization_name: expect.any(String),
      backlog: 3,
      lag_seconds: 90,
      failing_endpoints: 1,
      read_at: toInstant(at.clock.now()),
    },
  ]);
  expect(JSON.stringify(data)).not.toContain("hooks.example.com");
  const { text } = await at.call("GET", "/metrics", { from: "127.0.0.1" });
  expect(text).toContain(`windsock_webhook_lag_seconds{organization="${school.orgId}"} 90`);
});

test("the installation has the figures of /metrics", async () => {
  const place = await newPlace();
  const at = await newInstallation({
    env: { WINDSOCK_BACKUP_DIR: place, WINDSOCK_METRICS: "1", WINDSOCK_BACKUP_KEEP: "3,10d" },
  });
  await newSchool(at);
  await at.scheduler.runNow("backup");
  await at.scheduler.runNow("backup-drill");
  const get = await operatorOf(at);
  const { data } = await get("");
  const { text } = await at.call("GET", "/metrics", { from: "127.0.0.1" });
  const metric = (name: string) => Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1]);
  expect(data.databases).toEqual({
    schools: metric("windsock_schools"),
    bytes: metric("windsock_databases_bytes"),
    largest_bytes: metric("windsock_largest_school_bytes"),
    read_at: toInstant(at.clock.now()),
  });
  expect(data.disk.size_bytes).toBe(metric("windsock_disk_size_bytes"));
  expect(data.limits.open_schools).toBe(metric("windsock_open_tenants"));
  expect(data.limits.most_open_files).toBe(metric("process_max_fds"));
  expect(data.mails.sent_count).toBe(at.mails.length);
  expect(data.backups).toMatchObject({
    path: place,
    keep_count: 3,
    keep_days: 10,
    is_encrypted: false,
    newest: { schools: 1, older_copies: 0, missing_schools: 0 },
    last_run: { outcome: "succeeded", summary: expect.stringContaining("Backed up 2 databases") },
    last_drill: { outcome: "succeeded", summary: expect.stringContaining("Restored") },
  });
  expect(Date.parse(data.backups.newest.started_at) / 1000).toBe(metric("windsock_backup_newest_timestamp_seconds"));
});

test("without backups and mail, the installation says so", async () => {
  const at = await newInstallation({ mail: false });
  const get = await operatorOf(at);
  expect((await get("")).data).toMatchObject({ mails: null, backups: null, waits_for_lock: false, has_standby: false });
});
