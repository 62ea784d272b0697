/** What is served of a suspended organization, and what rests. */
import { expect, test } from "bun:test";
import { asc } from "drizzle-orm";
import { days, type Instant, minutes, toInstant } from "../../../src/core/clock.ts";
import { isId } from "../../../src/core/ids.ts";
import { disableAccount } from "../../../src/modules/accounts/operator/disable-account.ts";
import { describeTenant } from "../../../src/modules/organizations/describe-tenant.ts";
import { examineSuspensions } from "../../../src/modules/organizations/operator/examine-suspensions.ts";
import { auditLog, intents } from "../../../src/storage/shared.tables.ts";
import { suspendedSince } from "../../../src/storage/suspended.ts";
import { meta } from "../../../src/storage/tenant.tables.ts";
import { idsOf, publish } from "../../support/directory.ts";
import type { Installation } from "../../support/installation.ts";
import { publishedOpportunity } from "../../support/market.ts";
import { expectStatus, newOwnSchool, newSchool, password, type School, times } from "../../support/school.ts";
import { remove, rename, resume, suspend } from "../../support/suspending.ts";
import { controlAudit } from "../accounts/newcomers.ts";
import { ask, follow } from "../changes/follow.ts";

const newScene = async (env: Record<string, string> = {}) => newOwnSchool({ env });

const tenantOf = ({ installation, orgId }: School<Installation>) => {
  if (!isId<"organization">(orgId)) throw new Error(orgId);
  return installation.storage.tenants.tenant(orgId);
};

const auditOf = (school: School<Installation>) =>
  tenantOf(school).read((reader) => reader.select().from(auditLog).orderBy(asc(auditLog.seq)));

test("owners with usable accounts are told once, also if the school's file can't take the change", async () => {
  const school = await newScene();
  const { installation, orgId, owner } = school;
  const { clock, storage, mails } = installation;
  const disabled = await school.join(["owner"], "Dora Disabled");
  const operator = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;
  await disableAccount(operator, { email: disabled.email });
  mails.length = 0;
  const unwritable = { ...installation.intents, apply: () => Promise.reject(new Error("The disk is full.")) };
  const done = await suspend({ installation: { ...installation, intents: unwritable }, orgId });
  expect(done).toMatchObject({ changed: true, owners: [owner.email], mailed: 1, applied: false });
  expect(await suspend(school)).toMatchObject({ changed: false, mailed: 0, applied: true });
  expect(mails.map(({ to }) => to)).toEqual([owner.email]);
  expect(await tenantOf(school).read(suspendedSince)).toBe(toInstant(clock.now()));
});

test("a suspended school is refused to its members and its programs with a reason, and served again when it is resumed", async () => {
  const school = await newScene();
  const { installation, orgId, owner, student } = school;
  const key = await school.apiKey("public.flights:read");
  const suspended_at = toInstant(installation.clock.now());
  expect(await suspend(school)).toMatchObject({ changed: true, owners: [owner.email], applied: true });

  const reason = "organization_suspended";
  for (const refused of [
    await owner.get("/flights"),
    await student.get("/members"),
    await owner.patch("", { name: "Other" }),
    await owner.post("/people", { name: "Ada", types: ["pilot"] }),
    await school.publicGet("/flights", key),
    await installation.call("GET", "/internal/compliance-evaluations", { token: owner.token, org: orgId }),
    await installation.call("GET", "/applications", { token: owner.token, org: orgId }),
  ])
    expect([refused.status, refused.body.error]).toMatchObject([403, { code: "FORBIDDEN", reason, suspended_at }]);
  // Those who had no access learn nothing.
  const stranger = await newSchool(installation);
  expectStatus(404, await stranger.owner.call("GET", `/orgs/${orgId}/flights`));
  expectStatus(401, await school.publicGet("/flights", `${key.slice(0, -2)}xx`));

  expect(await suspend(school)).toMatchObject({ changed: false });
  expect(await resume(school)).toMatchObject({ changed: true, applied: true });
  expect(await resume(school)).toMatchObject({ changed: false });
  expectStatus(200, await owner.get("/flights"));
  expectStatus(201, await owner.post("/people", { name: "Ada", types: ["pilot"] }));
  expectStatus(200, await school.publicGet("/flights", key));
});

test("the account's own routes, the other school, and what is declared for it work while a school is suspended", async () => {
  const school = await newScene();
  const { installation, owner, orgId } = school;
  const other = await newSchool(installation);
  const { token: invite } = expectStatus(
    201,
    await other.owner.post("/invites", { email: owner.email, roles: ["instructor"] }),
  ).body.data;
  expectStatus(200, await owner.call("POST", "/auth/org-invites/claim", { body: { token: invite } }));
  await suspend(school);

  const { body } = expectStatus(200, await owner.call("GET", "/auth/me"));
  const told = new Map(body.data.organizations.map((one: { id: string }) => [one.id, one]));
  const suspended_at = toInstant(installation.clock.now());
  expect(told.get(orgId)).toMatchObject({ suspended_at, removal_at: null, person_id: null });
  expect(told.get(other.orgId)).toMatchObject({ suspended_at: null, removal_at: null });
  expectStatus(200, await owner.call("GET", `/orgs/${other.orgId}/flights`));
  expectStatus(200, await owner.call("GET", `/orgs/${orgId}`));
  const head = { method: "HEAD", headers: { authorization: `Bearer ${owner.token}` } };
  expect((await installation.app.handle(new Request(`http://localhost/orgs/${orgId}`, head))).status).toBe(200);
  expectStatus(200, await owner.call("PATCH", "/auth/me", { body: { name: "Olga Neu" } }));
  expectStatus(200, await installation.call("POST", "/auth/login", { body: { email: owner.email, password } }));
});

test("both audit logs have who suspended and resumed a school, its owners and the reason", async () => {
  const school = await newScene();
  const { installation, owner, orgId } = school;
  await suspend(school, "Fraud.");
  await resume(school);
  const owners = [{ user_id: owner.userId, email: owner.email }];
  const suspended_at = toInstant(installation.clock.now());
  const expected = [
    ["organization.suspended", { reason: "Fraud.", suspended_at, removal_at: null, owners }],
    ["organization.resumed", { suspended_at: null, removal_at: null, owners }],
  ];
  for (const rows of [await controlAudit(installation), await auditOf(school)])
    expect(
      rows
        .filter(({ actor_kind, subject_id }) => actor_kind === "command_line" && subject_id === orgId)
        .map(({ action, payload }) => [action, JSON.parse(payload ?? "").after]),
    ).toEqual(expected);
  expect(await installation.storage.control.read((reader) => reader.$count(intents))).toBe(0);
});

test("the owners are told in their language, and with the reason", async () => {
  const school = await newScene();
  const { installation, owner } = school;
  expectStatus(200, await owner.call("PATCH", "/auth/me", { body: { language: "de" } }));
  const second = await school.join(["owner"], "Otto Owner");
  installation.mails.splice(0);
  expect(await suspend(school)).toMatchObject({ mailed: 2 });
  const mailed = new Map(installation.mails.map((mail) => [mail.to, `${mail.subject}\n${mail.text}`]));
  expect([...mailed.keys()].sort()).toEqual([owner.email, second.email].sort());
  expect(mailed.get(owner.email)).toContain("Grund: Invoice 7 is not paid.");
  expect(mailed.get(second.email)).toContain("Reason: Invoice 7 is not paid.");
  installation.mails.splice(0);
  await resume(school);
  expect(installation.mails.map(({ subject }) => subject).sort()).toEqual([
    "Ihre Flugschule ist wieder freigegeben",
    "Your flight school is resumed",
  ]);
});

test("a calendar of a suspended school is refused to who has its address, and hidden from who has not", async () => {
  const school = await newScene();
  const { installation, orgId, owner } = school;
  const share = { purpose: "calendar", subject_id: orgId, name: "Phone" };
  const { token } = expectStatus(201, await owner.post("/share-tokens", share)).body.data;
  const path = `/public/orgs/${orgId}/calendars/${orgId}.ics?token=`;
  expectStatus(200, await installation.call("GET", path + token));
  await suspend(school);
  expect(expectStatus(403, await installation.call("GET", path + token)).body.error.reason).toBe(
    "organization_suspended",
  );
  expectStatus(404, await installation.call("GET", `${path}${token.slice(0, -2)}xx`));
  await resume(school);
  expectStatus(200, await installation.call("GET", path + token));
});

test("what a suspended school published is not shown, nor can its invites be claimed, until it is resumed", async () => {
  const school = await newScene();
  const { installation, orgId, owner } = school;
  await publish(owner, "schools", orgId);
  const opportunity = await publishedOpportunity(owner);
  const { token } = expectStatus(201, await owner.post("/invites", { email: "ada@example.com", roles: ["student"] }))
    .body.data;
  const { id: person_id } = expectStatus(
    201,
    await owner.post("/people", { name: "Sam", types: ["student"], email: "sam@example.com" }),
  ).body.data;
  const student = expectStatus(201, await owner.post("/student-invites", { person_id })).body.data;
  const other = await newSchool(installation);
  const shown = async () => [
    await idsOf(installation, "schools"),
    (await other.owner.call("GET", `/opportunities/${opportunity}`)).status,
    (await installation.call("GET", `/auth/org-invites/${token}`)).status,
    (await installation.call("GET", `/auth/student-invites/${student.token}`)).status,
  ];
  expect(await shown()).toEqual([[orgId], 200, 200, 200]);
  await suspend(school);
  expect(await shown()).toEqual([[], 404, 410, 410]);
  const claim = { token, password, name: "Ada" };
  expectStatus(410, await installation.call("POST", "/auth/org-invites/claim", { body: claim }));
  await resume(school);
  expect(await shown()).toEqual([[orgId], 200, 200, 200]);
});

test("streams of changes end when their school is suspended, and none is opened until it is resumed", async () => {
  const school = await newScene();
  const other = await newSchool(school.installation);
  const [stream, untouched] = [
    await follow(school.installation, school.owner),
    await follow(other.installation, other.owner),
  ];
  await suspend(school);
  expect((await stream.ended())?.data).toEqual({ reason: "access_changed" });
  expect(untouched.isEnded).toBe(false);
  expect((await ask(school.installation, school.owner)).status).toBe(403);
  await resume(school);
  expect((await ask(school.installation, school.owner)).status).toBe(200);
});

test("of requests in flight while a school is suspended, each is in the records before the suspension, or refused", async () => {
  const school = await newScene();
  const { owner } = school;
  const untilRefused = async (at: number) => {
    for (let count = 0; ; count += 1) {
      const answer = await owner.post("/people", { name: `Ada ${at} ${count}`, types: ["pilot"] });
      if (answer.status !== 201) return { answer, count };
    }
  };
  const posting = times(8, untilRefused);
  await owner.get("/flights");
  await suspend(school);
  const posted = await Promise.all(posting);
  for (const { answer } of posted) expect(answer.body.error.reason).toBe("organization_suspended");
  const rows = await auditOf(school);
  expect(rows.at(-1)?.action).toBe("organization.suspended");
  const people = rows.filter(({ action, payload }) => action === "person.created" && payload?.includes('"Ada '));
  expect(people).toHaveLength(posted.reduce((sum, { count }) => sum + count, 0));
});

test("a request that was admitted before the suspension can't write after it", async () => {
  const school = await newScene();
  const { owner } = school;
  const post = () => owner.post("/people", { name: "Ada", types: ["pilot"] });
  const set = (suspended_at: Instant | null) => tenantOf(school).write((tx) => tx.update(meta).set({ suspended_at }));
  // The gate asks the control database, which says nothing of it: as it said when the request was admitted.
  const suspended_at = toInstant(school.installation.clock.now());
  await set(suspended_at);
  expect((await post()).body.error).toMatchObject({ reason: "organization_suspended", suspended_at });
  expect((await owner.get("/people?q=Ada")).body.data).toEqual([]);
  await set(null);
  expectStatus(201, await post());
});

test("a body that arrives after the suspension is refused", async () => {
  const school = await newScene();
  const { owner } = school;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const headers = { "content-type": "application/json" };
  const answer = owner.call("POST", `/orgs/${school.orgId}/people`, { body: readable, headers });
  const writer = writable.getWriter();
  await writer.write(Buffer.from('{"name":"Ada",'));
  await suspend(school);
  await writer.write(Buffer.from('"types":["pilot"]}'));
  await writer.close();
  expect((await answer).body.error.reason).toBe("organization_suspended");
});

test("the jobs of a suspended school rest, and do their work when it is resumed", async () => {
  const school = await newScene();
  const { installation, owner, student } = school;
  const medical = { person_id: student.personId, type: "medical", level: "class_2", issued_on: "2026-01-10" };
  const valid_until = toInstant(new Date(installation.clock.now().getTime() + days(25))).slice(0, 10);
  expectStatus(201, await owner.post("/compliance/records", { ...medical, valid_until }));
  const wakeUp = async () => {
    installation.clock.advance(minutes(1));
    await installation.storage.checkpointIdle();
    return (await installation.storage.tenants.wakeUps()).filter((one) => one.orgId === school.orgId);
  };
  expect(await wakeUp()).toHaveLength(1);
  await suspend(school);
  expect(await installation.scheduler.runNow("medical-expiry")).toMatchObject({ outcome: "idle" });
  // Storage opens the file for no job.
  expect(await wakeUp()).toEqual([]);
  await resume(school);
  expect(await wakeUp()).toHaveLength(1);
  expect(await installation.scheduler.runNow("medical-expiry")).toMatchObject({ outcome: "succeeded" });
});

test("org rename changes the name by the rules of PATCH, and both audit logs have it by the operator", async () => {
  const school = await newScene();
  const { installation, owner, orgId } = school;
  expect(await rename(school, "Flugschule Neu")).toEqual({ name: "Flugschule Neu", applied: true });
  expect((await owner.get("")).body.data.name).toBe("Flugschule Neu");
  await expect(rename(school, " ")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  const unknown = { installation, orgId: "01890a5d-ac96-774b-bcce-b302099a8057" };
  await expect(rename(unknown, "Other")).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const rows of [await controlAudit(installation), await auditOf(school)])
    expect(
      rows
        .filter(({ action, subject_id }) => action === "organization.updated" && subject_id === orgId)
        .map(({ actor_kind, payload }) => [actor_kind, JSON.parse(payload ?? "").after.name]),
    ).toEqual([["command_line", "Flugschule Neu"]]);
});

test.each(["suspended", "active"])(
  "the restored file of a school that is %s agrees again with the control database",
  async (state) => {
    const isSuspended = state === "suspended";
    const school = await newScene();
    const { installation } = school;
    const { control } = installation.storage;
    const tenant = tenantOf(school);
    if (isSuspended) await suspend(school);
    const at = isSuspended ? toInstant(installation.clock.now()) : null;
    const other = isSuspended ? null : toInstant(installation.clock.now());
    await tenant.write((tx) => tx.update(meta).set({ suspended_at: other }));
    await describeTenant({ control, tenant, clock: installation.clock, requestId: "" });
    await installation.intents.apply(tenant.id);
    expect(await tenant.read(suspendedSince)).toBe(at);
    await describeTenant({ control, tenant, clock: installation.clock, requestId: "" });
    expect(await control.read((reader) => reader.$count(intents))).toBe(0);
  },
);

test("windsock doctor says how many schools are suspended, and warns of one that should be deleted by now", async () => {
  const school = await newScene();
  const { installation } = school;
  const { storage, clock } = installation;
  const examined = async () => {
    return (await examineSuspensions({ control: storage.control, clock })).map(
      ({ level, message }) => `${level}: ${message}`,
    );
  };
  expect(await examined()).toEqual(["fine: No school is suspended."]);
  const { name } = expectStatus(200, await school.owner.get("")).body.data;
  await remove(school, { confirm: name, grace: "1d" });
  expect(await examined()).toEqual(["fine: Suspended: 1 school, of which 1 will be deleted. See `windsock org list`."]);
  clock.advance(days(4));
  expect(await examined()).toEqual([`warning: ${name} was to be deleted on 2026-06-15, and is still there.`]);
});
