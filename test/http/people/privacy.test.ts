/** What a school keeps about a person: its export, and its erasure. */
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import type { MemberActor } from "../../../src/core/actor.ts";
import { days } from "../../../src/core/clock.ts";
import { isId, newId } from "../../../src/core/ids.ts";
import { verifyAuditLogs } from "../../../src/modules/operations/verify-audit.ts";
import { exportPerson } from "../../../src/modules/privacy/export-person.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { snapshot } from "../../support/databases.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { csv, expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";
import { attach } from "../attachments/attaching.ts";

test("who has a second factor verifies it before an export", async () => {
  const { owner, student, installation } = await newOwnSchool();
  const path = `/people/${student.personId}/export`;
  expectStatus(200, await owner.get(path));
  await enroll(installation, { token: owner.token });
  expect(expectStatus(403, await owner.get(path)).body.error.reason).toBe("step_up_required");
});

/** Values that occur nowhere else. */
const own = {
  name: "Zdzisława Quux-Łąka",
  email: "zq@erase-me.example",
  phone: "+49 999 8887776",
  street: "Unverwechselbar 77",
  postcode: "99991",
  city: "Verschwundenhausen",
  country: "PL",
  emergency_name: "Bogumił Quux",
  emergency_phone: "+48 111 2223334",
  emergency_relation: "Neffe dritten Grades",
  date_of_birth: "1961-07-29",
  licence_number: "PL.FCL.ERASE.1",
  licence_authority: "Urząd Erase",
};
const formerEmail = "maiden@erase-me.example";
const traces = [
  ...Object.values(own).filter((value) => value.length > 5),
  formerEmail,
  "ERASE-REC-7",
  "Prüferin Erase",
  "Wrong copy ERASE",
  "THE LICENCE ITSELF",
  "1988-08-17",
];

const licence = () => new Blob([`%PDF-1.7\n${"THE LICENCE ITSELF ".repeat(30_000)}`], { type: "application/pdf" });

async function trained(school: School): Promise<{ id: string; flight: { id: string } }> {
  const { owner, instructor } = school;
  const added = await owner.post("/people", { ...own, email: formerEmail, types: ["student", "pilot"] });
  const { id } = expectStatus(201, added).body.data;
  expectStatus(200, await owner.patch(`/people/${id}`, { email: own.email }));
  const invite = await owner.post("/student-invites", { person_id: id, email: own.email });
  expectStatus(201, invite);
  const record = {
    person_id: id,
    type: "sep",
    valid_until: "2027-01-31",
    number: "ERASE-REC-7",
    issued_by: "Prüferin Erase",
    issued_on: "2025-01-15",
  };
  expectStatus(201, await owner.post("/compliance/records", record));
  const second = await owner.post("/compliance/records", { ...record, issued_on: "2025-02-15" });
  expectStatus(201, second);
  const opening = await owner.patch(`/people/${id}/logbook/opening-totals`, {
    as_of: "1988-08-17",
    total_minutes: 777,
  });
  expectStatus(200, opening);
  const body = { crew: [{ person_id: id, function: "solo" }], remarks: `Well done, ${own.name}.` };
  const flight = await school.submitFlight(instructor, { body });
  expectStatus(200, await instructor.post(`/flights/${flight.id}/approve`));
  // A file, and one that was deleted before.
  const files = `/compliance/records/${second.body.data.id}/attachments`;
  await attach(owner, files, { filename: `Licence of ${own.name}.pdf`, body: licence() });
  const wrong = await attach(owner, files, { filename: "Wrong copy ERASE.pdf", headers: { "idempotency-key": "k2" } });
  expectStatus(200, await owner.delete(`${files}/${wrong.id}`));
  // The response is kept for repeats.
  const keyed = { body: { ...record, type: "elp", level: "4" }, headers: { "idempotency-key": "k1" } };
  expectStatus(201, await owner.call("POST", `/orgs/${owner.orgId}/compliance/records`, keyed));
  return { id, flight };
}

/** Signs the owner in again: sessions end while the clock moves by years. */
async function later(
  school: School<Installation>,
  time: number,
): Promise<(method: string, path: string) => ReturnType<School["owner"]["call"]>> {
  school.installation.clock.advance(time);
  const body = { email: school.owner.email, password: "correct horse battery" };
  const { access_token: token } = expectStatus(
    200,
    await school.installation.call("POST", "/auth/login", { body }),
  ).body;
  return (method, path) => school.installation.call(method, `/orgs/${school.orgId}${path}`, { token });
}

test("a person is erased from every table once the law allows it, and flights keep their figures", async () => {
  const directory = await mkdtemp(join(tmpdir(), "windsock-"));
  afterThisTest(() => rm(directory, { recursive: true }));
  const school = await newSchool(await newInstallation({ directory }));
  const { installation, orgId } = school;
  const { id, flight } = await trained(school);
  const before = (await school.owner.get(`/flights/${flight.id}`)).body.data;

  const refused = expectStatus(409, await school.owner.post(`/people/${id}/erase`));
  expect(refused.body.error.reason).toBe("records_kept");
  const flownOn = Temporal.PlainDate.from(before.off_block_at.slice(0, 10));
  expect(refused.body.error.message).toContain(`until ${flownOn.add({ years: 5 })}`);

  const key = await school.apiKey("public.flights:read", "public.pilots:read");
  const call = await later(school, days(5 * 366));
  const changes = async (path: string, cursor?: string) => {
    const from = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    return expectStatus(200, await school.publicGet(`${path}?updated_since=2000-01-01T00:00:00Z${from}`, key)).body;
  };
  const [flights, pilots] = [(await changes("/flights")).page, (await changes("/pilots")).page];
  const erased = expectStatus(200, await call("POST", `/people/${id}/erase`)).body.data;
  expect(erased).toMatchObject({ id, name: "Erased person", status: "archived", email: null, ratings: [] });
  expect(erased.erased_at).toBeString();

  const after = expectStatus(200, await call("GET", `/flights/${flight.id}`)).body.data;
  expect(after).toMatchObject({ block_minutes: before.block_minutes, day_landings: 1, status: "approved" });
  expect(after.crew).toEqual([
    { person_id: id, name: "Erased person", function: "solo", day_landings: 1, night_landings: 0 },
  ]);
  expect(after.remarks).toBeNull();
  expect((await changes("/flights", flights.last_cursor)).data).toMatchObject([{ id: flight.id, crew: after.crew }]);
  expect((await changes("/pilots", pilots.last_cursor)).data).toMatchObject([
    { id, name: "Erased person", status: "archived" },
  ]);
  expectStatus(409, await call("POST", `/people/${id}/erase`));

  const rows = JSON.stringify([...(await snapshot(installation.storage))]);
  for (const trace of traces) expect([trace, rows.includes(trace)]).toEqual([trace, false]);
  if (!isId<"organization">(orgId)) throw new Error("A school has an id.");
  const verified = await verifyAuditLogs(
    { ...installation, control: installation.storage.control, actor: { kind: "command_line" }, requestId: "test" },
    { storage: installation.storage, orgId },
  );
  expect(verified).toMatchObject({ ok: true });

  // Neither in the free space of the files.
  await installation.close();
  for (const name of [orgId, "control"]) {
    const bytes = await readFile(join(directory, `${name}.db`));
    for (const trace of traces) expect([name, trace, bytes.includes(trace)]).toEqual([name, trace, false]);
  }
});

test("an erasure takes the person's name out of what members wrote about an aircraft", async () => {
  const { owner, aircraftId: aircraft_id } = await newSchool();
  const { id } = expectStatus(201, await owner.post("/people", { name: "Mia Muster", types: ["pilot"] })).body.data;
  const text = "Mia Muster noticed it.";
  const at = `/aircraft/${aircraft_id}`;
  expectStatus(200, await owner.post(`${at}/ground`, { reason: text }));
  expectStatus(201, await owner.post(`${at}/defects`, { description: text }));
  expectStatus(
    201,
    await owner.post("/maintenance/items", { aircraft_id, name: text, notes: text, interval_months: 1 }),
  );
  expectStatus(200, await owner.post(`/people/${id}/erase`));

  const without = "Erased person noticed it.";
  expect((await owner.get(at)).body.data.groundings).toMatchObject([{ note: without }]);
  expect((await owner.get(`${at}/defects`)).body.data).toMatchObject([{ description: without }]);
  expect((await owner.get("/maintenance/items")).body.data).toMatchObject([{ name: without, notes: without }]);
  expect((await owner.get("/maintenance/work-orders")).body.data).toMatchObject([{ title: `Defect: ${without}` }]);
});

test("a school that is no ATO keeps training records for three years, and other records as it likes", async () => {
  const school = await newOwnSchool();
  const { owner, instructor } = school;
  expectStatus(200, await owner.call("PATCH", `/orgs/${owner.orgId}`, { body: { kind: "dto" } }));
  const { id } = expectStatus(201, await owner.post("/people", { name: "Guest Pilot", types: ["pilot"] })).body.data;
  const fly = async (crewFunction: string) => {
    const body = { nature: "private", crew: [{ person_id: id, function: crewFunction }] };
    const flight = await school.submitFlight(instructor, { body });
    expect(expectStatus(409, await owner.post(`/people/${id}/erase`)).body.error.reason).toBe("flights_pending");
    expectStatus(200, await instructor.post(`/flights/${flight.id}/approve`));
  };
  await fly("pic");
  await school.draftFlight(instructor, { body: { nature: "training", crew: [{ person_id: id, function: "dual" }] } });
  expectStatus(201, await owner.post("/compliance/records", { person_id: id, type: "night", issued_on: "2025-01-15" }));
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  expect((await owner.get(`/compliance/records?person_id=${id}`)).body.data).toEqual([]);
});

test("only members who manage people erase, and no one who is a member or erased already", async () => {
  const { owner, instructor, student } = await newSchool();
  expectStatus(403, await instructor.post(`/people/${student.personId}/erase`));
  expect((await owner.post(`/people/${student.personId}/erase`)).body.error.reason).toBe("person_has_account");
  const { id } = expectStatus(201, await owner.post("/people", { name: "A B", types: ["staff"] })).body.data;
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  const record = { person_id: id, type: "night", issued_on: "2025-01-15" };
  expect(expectStatus(400, await owner.post("/compliance/records", record)).body.issues).toMatchObject([
    { code: "erased" },
  ]);
  const again = expectStatus(409, await owner.patch(`/people/${id}`, { status: "active", name: "A B" }));
  expect(again.body.error.reason).toBe("person_erased");
});

test("the export has everything about a person, for members who manage people and for the person", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const { flight, id } = await trained(school);
  const get = (by: typeof owner, personId: string) =>
    school.installation.app.fetch(
      new Request(`http://localhost/orgs/${owner.orgId}/people/${personId}/export`, {
        headers: { authorization: `Bearer ${by.token}` },
      }),
    );
  const answer = await get(owner, id);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  const [, attached = ""] = Object.keys(files);
  expect(Object.keys(files)).toEqual(["person.json", expect.stringContaining(`-Licence of ${own.name}.pdf`)]);
  expect(Buffer.from(files[attached] ?? []).equals(Buffer.from(await licence().arrayBuffer()))).toBe(true);
  const all = JSON.parse(Buffer.from(files["person.json"] ?? []).toString());
  expect(all.person).toMatchObject(own);
  expect(all.former_links).toMatchObject([{ email: formerEmail }]);
  expect(all.logbook_opening_totals).toMatchObject([{ as_of: "1988-08-17", total_minutes: 777 }]);
  expect(all.flights).toMatchObject([{ id: flight.id, remarks: `Well done, ${own.name}.` }]);
  expect(all.compliance_records).toHaveLength(3);
  expect(all.attachments).toMatchObject([{ filename: `Licence of ${own.name}.pdf` }]);
  expect(all.compliance_evaluations).toHaveLength(1);
  expect(all.invites).toMatchObject([{ email: own.email, person_id: id }]);
  expect(JSON.stringify(all)).not.toContain("token");
  expect(all.audit_log.map(({ action }: { action: string }) => action)).toContain("person.exported");

  const self = await get(student, student.personId);
  const mine = unzipSync(new Uint8Array(await self.arrayBuffer()));
  expect(JSON.parse(Buffer.from(mine["person.json"] ?? []).toString()).members).toMatchObject([
    { email: student.email },
  ]);
  expect([(await get(student, id)).status, (await get(instructor, id)).status]).toEqual([404, 403]);

  expectStatus(200, await owner.call("DELETE", `/orgs/${owner.orgId}/members/${student.userId}`));
  const left = unzipSync(new Uint8Array(await (await get(owner, student.personId)).arrayBuffer()));
  expect(JSON.parse(Buffer.from(left["person.json"] ?? []).toString())).toMatchObject({
    members: [],
    former_memberships: [{ user_id: student.userId }],
  });
});

test("the export has the membership of an account that was linked before, if its address is the person's", async () => {
  const school = await newSchool();
  const { owner, student, installation } = school;
  const membersOf = async (personId: string) => {
    const path = `http://localhost/orgs/${owner.orgId}/people/${personId}/export`;
    const headers = { authorization: `Bearer ${owner.token}` };
    const answer = await installation.app.fetch(new Request(path, { headers }));
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    return JSON.parse(Buffer.from(files["person.json"] ?? []).toString()).members;
  };
  const change = (personId: string, body: object) => owner.patch(`/people/${personId}`, body);

  expectStatus(200, await change(student.personId, { email: student.email, user_id: null }));
  expect(await membersOf(student.personId)).toMatchObject([{ email: student.email }]);

  // By mistake, another person had it, too.
  const added = await owner.post("/people", { name: "Ada Berg", email: "ada@example.com", types: ["pilot"] });
  const { id } = expectStatus(201, added).body.data;
  expectStatus(200, await change(id, { user_id: student.userId }));
  expectStatus(200, await change(id, { user_id: null }));
  expect(await membersOf(student.personId)).toEqual([]);
  expect(await membersOf(id)).toEqual([]);
});

test("`people:manage` is enough for an export, as its route says", async () => {
  const { orgId, student, installation } = await newOwnSchool();
  const { clock, storage } = installation;
  if (!isId<"organization">(orgId) || !isId<"person">(student.personId)) throw new Error("Not an id.");
  const tenant = storage.tenants.tenant(orgId);
  const account = {
    userId: newId<"user">(clock),
    sessionId: newId<"session">(clock),
    email: "o@x.example",
    name: "Olga",
  };
  const actor: MemberActor = { kind: "user", ...account, orgId, permissions: new Set(["people:manage"]) };
  const context = { actor, tenant, control: storage.control, clock, requestId: "" };
  const files = await Array.fromAsync(await exportPerson([])(context, { personId: student.personId }));
  expect(files.map(({ name }) => name)).toEqual(["person.json"]);
});

test("an export has each flight of a person once, in every function and over several pages, the oldest first", async () => {
  const { owner, instructor, student, installation } = await newSchool();
  const lines = Array.from({ length: 230 }, (_, at) => {
    const on = new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
    const crew = at % 10 === 0 ? `${instructor.email},${student.email},` : `,,${student.email}`;
    return `D-EABC,${on}T08:00:00Z,${on}T09:00:00Z,EDFE,EDFE,1,${crew}`;
  });
  const heading = "registration,off_block_at,on_block_at,departure,arrival,day_landings,instructor,dual,pic";
  const body = csv([heading, ...lines].join("\n"));
  expectStatus(200, await owner.call("POST", `/orgs/${owner.orgId}/flights/import`, { body }));
  const exported = await installation.app.fetch(
    new Request(`http://localhost/orgs/${owner.orgId}/people/${student.personId}/export`, {
      headers: { authorization: `Bearer ${owner.token}` },
    }),
  );
  const files = unzipSync(new Uint8Array(await exported.arrayBuffer()));
  const { flights } = JSON.parse(Buffer.from(files["person.json"] ?? []).toString());
  const days = lines.map((line) => line.split(",")[1]?.replace("Z", ".000Z"));
  expect(flights.map((flight: { off_block_at: string }) => flight.off_block_at)).toEqual(days);
});

test("an erasure does not erase what others did, however the person was named and linked", async () => {
  const { owner, join } = await newSchool();
  const admin = await join(["admin"], "Ada Admin");
  const person = async (fields: Record<string, unknown>): Promise<string> =>
    expectStatus(201, await admin.post("/people", { name: "Decoy Person", types: ["staff"], ...fields })).body.data.id;
  const link = async (id: string, user_id: string | null) =>
    expectStatus(200, await admin.patch(`/people/${id}`, { user_id }));
  expectStatus(200, await admin.patch("/clearance/rules/medical_expired", { action: "off" }));
  expectStatus(200, await owner.patch("/notification-preferences", { medical_expiring: false }));
  const key = { name: "Secret key", scopes: ["public.flights:read"] };
  expectStatus(201, await admin.post("/integrations/api-keys", key));

  // Each has been linked to the decoy for a moment.
  const decoy = await person({ email: owner.email });
  for (const member of [owner, admin]) {
    await link(member.personId, null);
    await link(decoy, member.userId);
    await link(decoy, null);
    const refused = expectStatus(409, await admin.post(`/people/${decoy}/erase`));
    expect(refused.body.error.reason).toBe("person_has_account");
    await link(member.personId, member.userId);
  }
  for (const id of [decoy, await person({ name: "Secret key" }), await person({ name: "Ada Admin" })])
    expectStatus(200, await admin.post(`/people/${id}/erase`));

  const rows: { action: string; subject: { id: string }; after?: unknown }[] = (await owner.get("/audit-log?limit=500"))
    .body.data;
  const kept = rows.filter((row) => row.after !== undefined).map((row) => row.action);
  expect(kept).toEqual(
    expect.arrayContaining(["clearance_rule.updated", "notification_preferences.changed", "api_key.created"]),
  );
  expect(rows.filter(({ subject, after }) => subject.id === owner.personId && after === undefined)).toEqual([]);
  expect((await owner.get("/notification-preferences")).body.data.medical_expiring).toBe(false);
});
