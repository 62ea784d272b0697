/** For every reason, a request whose response has that reason. */
import { type SQL, sql } from "drizzle-orm";
import type { OrgId } from "../../src/core/ids.ts";
import type { Reason } from "../../src/core/reasons.ts";
import { webhookUrl } from "../http/integrations/scenery.ts";
import { publish, small } from "../http/training/school.ts";
import { type Answer, type Installation, newInstallation } from "../support/installation.ts";
import { tokenIn } from "../support/mails.ts";
import { applyFor, listingBody, newAccount, newListing, publishedOpportunity } from "../support/market.ts";
import { completeBuyer, completeSeller, headset, newInvoice, sendInvoice } from "../support/money.ts";
import { begin, type Claims, comeBack, providerOf } from "../support/oidc.ts";
import { release } from "../support/release.ts";
import { expectStatus, newOwnSchool, newSchool, password, pdf, type School } from "../support/school.ts";
import { challenged, enroll, verify } from "../support/second-factor.ts";
import { provocations } from "./provocations.ts";
import type { Provocation, Scene } from "./provoke.ts";

/** A reason that no single request produces: the file with its test. */
export interface AssertedIn {
  file: string;
}

const sepOf = (person_id: string) => ({ person_id, type: "sep", issued_on: "2025-01-15", valid_until: "2027-01-31" });
const newRecord = async ({ owner, student }: School): Promise<{ id: string }> =>
  expectStatus(201, await owner.post("/compliance/records", sepOf(student.personId))).body.data;

const newType = (key: string) => ({ key, name: "Club check", subject: "person" });
const typeNamed = async (owner: School["owner"], key: string): Promise<string> =>
  (await owner.get("/compliance/types")).body.data.find((type: { key: string }) => type.key === key).id;

/** A published program in which the student is enrolled. */
async function enrolled({ owner, student }: School, syllabus: object = small) {
  const revision = await publish({ owner }, syllabus);
  const added = await owner.post("/training/enrollments", enrollmentIn({ student }, revision));
  const { id } = expectStatus(201, added).body.data;
  const signoff = (code: string, at = 0) => ({
    ...{ enrollment_id: id, item_id: revision.lesson(code).items[at].id, grade: "ok" },
  });
  return { revision, enrollment: id as string, signoff };
}

const enrollmentIn = ({ student }: Pick<School, "student">, revision: { id: string }) => ({
  ...{ student_id: student.personId, revision_id: revision.id, started_on: "2026-01-15" },
});

/** An approved flight with a charge by a rate of its own payer. */
async function chargedFlight(school: School): Promise<string> {
  const { owner, student } = school;
  const rate = { kind: "aircraft", person_id: student.personId, price_minor: 22_500, valid_from: "2026-01-01" };
  expectStatus(201, await owner.post("/finance/rates", rate));
  const { id } = await school.submitFlight(student);
  expectStatus(200, await owner.post(`/flights/${id}/approve`));
  return id;
}

async function untilRefused(request: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await request();
    if (answer.status >= 400) return answer;
  }
}

let born = 0;
const newEmail = () => `reason${++born}@contract.example`;

/** Returns the request in the contract's rows that gets this status. */
function ofRow(name: string, status: number): Provocation {
  const provoke = provocations[name]?.[status];
  if (!provoke) throw new Error(`test/contract/provocations.ts has no ${status} of ${name}.`);
  return provoke;
}

const inControl = ({ installation }: Pick<School<Installation>, "installation">, change: SQL) =>
  installation.storage.control.write((tx) => tx.run(change));
const inRecords = ({ installation, orgId }: School, change: SQL) =>
  installation.storage.tenants.tenant(orgId as OrgId).write((tx) => tx.run(change));

/** Signs in through the provider. */
async function arrive({ school: { installation } }: Scene, claims: Claims, token?: string): Promise<Answer> {
  const begun = await begin(installation, token === undefined ? {} : { token });
  return comeBack(installation, providerOf(installation).admit(begun, claims), begun.cookie);
}

const newcomer = (): Claims => ({ sub: `reason-${++born}`, email: newEmail(), email_verified: true });

/** Creates an account by a provider's sign-in. @returns its access token */
const arrived = async (scene: Scene, claims = newcomer()): Promise<string> =>
  expectStatus(200, await arrive(scene, claims)).body.access_token;

const endpointOf = async ({ owner }: School, type = "webhook.test"): Promise<string> =>
  expectStatus(201, await owner.post(endpoints, { url: webhookUrl, event_types: [type] })).body.data.id;
const endpoints = "/integrations/webhook-endpoints";

const newPerson = async ({ owner }: School, types = ["student"]): Promise<{ id: string; email: string }> =>
  expectStatus(201, await owner.post("/people", { name: "Stu Dent", types, email: newEmail() })).body.data;
const invitedStudent = async (school: School): Promise<{ id: string; token: string; personId: string }> => {
  const { id } = await newPerson(school);
  const { data } = expectStatus(201, await school.owner.post("/student-invites", { person_id: id })).body;
  return { ...data, personId: id };
};

/** Opens a work order, starts it, and attempts to release it. */
async function releasing({ school: { owner, aircraftId } }: Scene, order: object, body: object): Promise<Answer> {
  const opened = await owner.post("/maintenance/work-orders", { aircraft_id: aircraftId, title: "Work", ...order });
  const { id } = expectStatus(201, opened).body.data;
  expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
  return owner.post(`/maintenance/work-orders/${id}/complete`, body);
}

async function forgotten({ installation, owner }: Pick<School<Installation>, "installation" | "owner">, from: string) {
  expectStatus(200, await installation.call("POST", "/auth/password/forgot", { body: { email: owner.email }, from }));
  return tokenIn(installation.mails, owner.email, "reset");
}
const reset = ({ installation }: Pick<School<Installation>, "installation">, token: string) =>
  installation.call("POST", "/auth/password/reset", { body: { token, password: "another horse battery" } });

const groundOf = (personId: string) => ({
  kind: "ground",
  start_at: "2098-06-15T08:30:00Z",
  end_at: "2098-06-15T10:00:00Z",
  student_ids: [personId],
});

export const reasonProvocations: Record<Reason, Provocation | AssertedIn> = {
  access_denied: async ({ school: { installation } }) => {
    const begun = await begin(installation);
    const back = new URLSearchParams(providerOf(installation).admit(begun, newcomer()));
    back.delete("code");
    back.set("error", "access_denied");
    return comeBack(installation, back.toString(), begun.cookie);
  },
  account_disabled: ofRow("POST /auth/login", 403),
  account_exists: ofRow("GET /auth/oauth/callback", 401),
  account_linked: ({ school: { owner, student } }) =>
    owner.post("/people", { name: "Another", types: ["student"], user_id: student.userId }),
  aircraft_archived: async ({ school }) => {
    expectStatus(200, await school.owner.patch(`/aircraft/${school.aircraftId}`, { status: "archived" }));
    return school.student.post("/flights", school.flightBody());
  },
  aircraft_has_flights: async ({ school }) => {
    await school.draftFlight(school.student);
    return school.owner.patch(`/aircraft/${school.aircraftId}`, { class: "FSTD" });
  },
  already_applied: async ({ school: { installation, owner } }) => {
    const [id, account] = [await publishedOpportunity(owner), await newAccount(installation)];
    expectStatus(201, await applyFor(installation, id, account));
    return applyFor(installation, id, account);
  },
  already_enrolled: async ({ school }) => {
    const { revision } = await enrolled(school);
    return school.owner.post("/training/enrollments", enrollmentIn(school, revision));
  },
  already_member: ({ school: { owner, student } }) =>
    owner.post("/invites", { email: student.email, roles: ["student"] }),
  answer_lost: { file: "test/http/idempotency-stores.test.ts" },
  answer_shown_once: async ({ school: { orgId, owner } }) => {
    const call = {
      body: { name: "Export", scopes: ["public.flights:read"] },
      headers: { "idempotency-key": "k" },
    };
    const path = `/orgs/${orgId}/integrations/api-keys`;
    expectStatus(201, await owner.call("POST", path, call));
    return owner.call("POST", path, call);
  },
  booking_conflicts: async ({ school: { student } }) => {
    expectStatus(201, await student.post("/planning/sessions", groundOf(student.personId)));
    return student.post("/planning/sessions", groundOf(student.personId));
  },
  booking_limited: async ({ school: { owner, student } }) => {
    expectStatus(200, await owner.patch("/planning/settings", { students_book: false }));
    return student.post("/planning/sessions", groundOf(student.personId));
  },
  changed_meanwhile: async () => {
    const email = newEmail();
    const at = await newInstallation({
      watchPasswords: (passwords) => ({
        ...passwords,
        async verify(known, plain) {
          const isRight = await passwords.verify(known, plain);
          await inControl({ installation: at }, sql`update users set password_hash = 'another' where email = ${email}`);
          return isRight;
        },
      }),
    });
    expectStatus(201, await at.call("POST", "/auth/signup", { body: { email, password, name: "Ada" } }));
    const body = { token: tokenIn(at.mails, email, "verify"), password };
    return at.call("POST", "/auth/email/verify", { body });
  },
  code_wrong: async ({ school: { installation, student } }) => {
    const factor = await enroll(installation, student);
    return verify(installation, await challenged(installation, student.email), await factor.wrongCode());
  },
  counter_out_of_range: async ({ school }) => {
    const { id } = await school.submitFlight(school.student);
    expectStatus(200, await school.instructor.post(`/flights/${id}/approve`));
    await inRecords(school, sql`update aircraft set airframe_minutes = 0`);
    return school.owner.post(`/flights/${id}/reverse`, { reason: "It was another aircraft." });
  },
  disk_full: async ({ school }) => {
    const { owner, installation, orgId } = school;
    const tenant = installation.storage.tenants.tenant(orgId as OrgId);
    const pages = await tenant.write(async (tx) => {
      const [[before] = []] = await tx.values<[number]>(sql`pragma max_page_count`);
      await tx.run(sql`pragma max_page_count = 1`);
      return before ?? 0;
    });
    // As on a full disk. SQLite sets the number to that of the file's pages, some of which are not full.
    try {
      return await untilRefused(() => owner.post("/people", { name: "x".repeat(100), types: ["student"] }));
    } finally {
      await tenant.write((tx) => tx.run(sql.raw(`pragma max_page_count = ${pages}`)));
    }
  },
  email_already_verified: async ({ school }) => {
    await inControl(school, sql`update users set email_verified_at = created_at where email = ${school.owner.email}`);
    return school.owner.call("POST", "/auth/email/verification");
  },
  email_taken: ofRow("POST /auth/signup", 409),
  sign_up_closed: ofRow("POST /auth/signup", 403),
  email_unverified: { file: "test/http/operations/account-commands.test.ts" },
  endpoint_disabled: async ({ school }) => {
    const id = await endpointOf(school);
    expectStatus(200, await school.owner.patch(`${endpoints}/${id}`, { enabled: false }));
    return school.owner.post(`${endpoints}/${id}/ping`);
  },
  endpoint_not_subscribed: async ({ school }) => {
    const ping = await school.owner.post(`${endpoints}/${await endpointOf(school)}/ping`);
    const { event_id } = expectStatus(201, ping).body.data;
    const endpoint_id = await endpointOf(school, "flight.approved");
    return school.owner.post(`/integrations/events/${event_id}/replay`, { endpoint_id });
  },
  findings_not_acknowledged: async ({ school }) => {
    expectStatus(200, await school.owner.patch("/clearance/rules/solo_medical", { action: "block" }));
    const { id } = await school.submitFlight(school.student);
    return school.owner.post(`/flights/${id}/approve`);
  },
  flight_overlaps: async ({ school }) => {
    const { off_block_at, on_block_at } = await school.submitFlight(school.student);
    const { id } = await school.draftFlight(school.student, { body: { off_block_at, on_block_at } });
    return school.student.post(`/flights/${id}/submit`);
  },
  grounding_not_by_hand: async ({ school }) => {
    const grounded = await school.owner.post(`/aircraft/${school.aircraftId}/ground`, { reason: "Smells of fuel." });
    const { id } = expectStatus(200, grounded).body.data.groundings[0];
    await inRecords(school, sql`update groundings set kind = 'record' where id = ${id}`);
    return school.owner.post(`/aircraft/${school.aircraftId}/groundings/${id}/lift`);
  },
  installation_key_missing: async ({ school }) => {
    await inRecords(school, sql`update meta set sealed_by = 'another'`);
    return school.owner.post(endpoints, { url: webhookUrl, event_types: ["webhook.test"] });
  },
  not_own_session: async ({ school: { student, owner } }) =>
    student.post("/planning/sessions", groundOf(owner.personId)),
  room_archived: async ({ school: { owner, student } }) => {
    const { id } = expectStatus(201, await owner.post("/planning/rooms", { name: "Attic" })).body.data;
    expectStatus(200, await owner.patch(`/planning/rooms/${id}`, { status: "archived" }));
    return student.post("/planning/sessions", { ...groundOf(student.personId), room_id: id });
  },
  room_name_taken: async ({ school: { owner } }) => {
    expectStatus(201, await owner.post("/planning/rooms", { name: "Attic" }));
    return owner.post("/planning/rooms", { name: "Attic" });
  },
  flight_on_record: async ({ school: { owner, student, aircraftId } }) => {
    const [start_at, end_at] = ["2020-01-01T10:00:00Z", "2020-01-01T11:00:00Z"];
    const body = { kind: "flight", aircraft_id: aircraftId, start_at, end_at, student_ids: [student.personId] };
    const { id } = expectStatus(201, await owner.post("/planning/sessions", body)).body.data;
    const { flight_id } = expectStatus(200, await owner.post(`/planning/sessions/${id}/check-in`)).body.data;
    const defect = { description: "Flat tyre.", flight_id };
    expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect));
    return owner.post(`/planning/sessions/${id}/undo-check-in`);
  },
  sessions_planned: async ({ school }) => {
    const { id } = await newPerson(school);
    expectStatus(201, await school.owner.post("/planning/sessions", groundOf(id)));
    return school.owner.post(`/people/${id}/erase`);
  },
  instructor_not_qualified: async ({ school }) => {
    const { signoff } = await enrolled(school);
    return school.instructor.post("/training/signoffs", signoff("1"));
  },
  invite_claimed: ofRow("GET /auth/org-invites/{token}", 409),
  invite_expired: ofRow("GET /auth/org-invites/{token}", 410),
  invite_for_other_email: async ({ school: { owner, student } }) => {
    const invite = expectStatus(201, await owner.post("/invites", { email: newEmail(), roles: ["student"] }));
    return student.call("POST", "/auth/org-invites/claim", { body: { token: invite.body.data.token } });
  },
  invite_revoked: ofRow("GET /auth/student-invites/{token}", 410),
  invited_person_deleted: async ({ school }) => {
    const { token, personId } = await invitedStudent(school);
    await inRecords(school, sql`delete from people where id = ${personId}`);
    return school.installation.call("GET", `/auth/student-invites/${token}`);
  },
  inviter_not_permitted: async ({ school }) => {
    const admin = await school.join(["admin"]);
    const invite = expectStatus(201, await admin.post("/invites", { email: newEmail(), roles: ["student"] }));
    expectStatus(200, await school.owner.patch(`/members/${admin.userId}`, { roles: ["student"] }));
    return school.installation.call("GET", `/auth/org-invites/${invite.body.data.token}`);
  },
  job_running: { file: "test/scheduler/scheduler.test.ts" },
  item_in_work_order: async ({ school: { owner, aircraftId } }) => {
    const item = { aircraft_id: aircraftId, name: "Oil", interval_months: 1 };
    const { id } = expectStatus(201, await owner.post("/maintenance/items", item)).body.data;
    const order = { aircraft_id: aircraftId, title: "Oil", item_ids: [id] };
    expectStatus(201, await owner.post("/maintenance/work-orders", order));
    return owner.delete(`/maintenance/items/${id}`);
  },
  nothing_done: async (scene) => releasing(scene, {}, release),
  pilot_owner_may_not: async (scene) => {
    const item = { aircraft_id: scene.school.aircraftId, name: "Annual", critical: true, interval_months: 12 };
    const { id } = expectStatus(201, await scene.school.owner.post("/maintenance/items", item)).body.data;
    return releasing(scene, { item_ids: [id] }, { ...release, approval: { kind: "pilot_owner" } });
  },
  last_owner: ({ school: { owner } }) => owner.delete(`/members/${owner.userId}`),
  last_sign_in_method: async (scene) => {
    const token = await arrived(scene);
    return scene.school.installation.call("DELETE", "/auth/identities/google", { token });
  },
  limit_reached: async ({ school }) => {
    for (let count = 0; count < 50; count += 1) await endpointOf(school);
    return school.owner.post(endpoints, { url: webhookUrl, event_types: ["webhook.test"] });
  },
  link_expired: async ({ from }) => {
    const school = await newOwnSchool();
    const token = await forgotten(school, from);
    school.installation.clock.advance(30 * 60_000);
    return reset(school, token);
  },
  link_unconfirmed: async ({ school }) => {
    const { owner, instructor, student } = school;
    const { signoff } = await enrolled(school);
    const certificate = {
      person_id: instructor.personId,
      type: "fi",
      issued_on: "2020-01-15",
      valid_until: "2098-01-31",
    };
    expectStatus(201, await owner.post("/compliance/records", certificate));
    const { id } = expectStatus(201, await instructor.post("/training/signoffs", signoff("1"))).body.data;
    expectStatus(200, await owner.patch(`/people/${owner.personId}`, { user_id: null }));
    expectStatus(200, await owner.patch(`/people/${student.personId}`, { user_id: owner.userId }));
    return owner.post(`/training/signoffs/${id}/acknowledge`);
  },
  link_used: async ({ school, from }) => {
    const token = await forgotten(school, from);
    expectStatus(200, await reset(school, token));
    return reset(school, token);
  },
  link_void: async ({ school, from }) => {
    const first = await forgotten(school, from);
    expectStatus(200, await reset(school, await forgotten(school, from)));
    return reset(school, first);
  },
  linked_account_disabled: async (scene) => {
    const claims = newcomer();
    await arrived(scene, claims);
    await inControl(scene.school, sql`update users set disabled_at = created_at where email = ${claims.email}`);
    return arrive(scene, claims);
  },
  linked_elsewhere: async (scene) => {
    const claims = newcomer();
    await arrived(scene, claims);
    return arrive(scene, claims, scene.school.owner.token);
  },
  mail_not_configured: async () => {
    const { owner } = await newSchool(await newInstallation({ mail: false }));
    return owner.call("POST", "/auth/email/verification");
  },
  no_reminder: async ({ school: { owner, student } }) => {
    const licence = { person_id: student.personId, type: "licence", level: "ppl", issued_on: "2025-03-14" };
    const { id } = expectStatus(201, await owner.post("/compliance/records", licence)).body.data;
    return owner.post(`/compliance/records/${id}/remind`);
  },
  reminded_already: async ({ school: { owner, student } }) => {
    const record = expectStatus(201, await owner.post("/compliance/records", sepOf(student.personId))).body.data;
    expectStatus(200, await owner.post(`/compliance/records/${record.id}/remind`));
    return owner.post(`/compliance/records/${record.id}/remind`);
  },
  medical_without_files: async ({ school: { orgId, owner, student } }) => {
    const medical = { ...sepOf(student.personId), type: "medical", level: "class_2", valid_until: "2030-01-15" };
    const { id } = expectStatus(201, await owner.post("/compliance/records", medical)).body.data;
    return owner.call("POST", `/orgs/${orgId}/compliance/records/${id}/attachments?filename=a.pdf`, { body: pdf() });
  },
  conflict_of_interest: ofRow("POST /admin/addon-listings/{listingId}/approve", 403),
  own_organization: async ({ school: { installation, owner, student } }) =>
    applyFor(installation, await publishedOpportunity(owner), student),
  slug_taken: async ({ school: { owner } }) => {
    const { slug } = await newListing(owner);
    return owner.post("/addon-listings", { ...listingBody(), slug });
  },
  organization_suspended: async ({ school }) => {
    const { orgId, owner } = school;
    const row = sql`insert into suspensions (org_id, reason, suspended_at) values (${orgId}, 'Test', '2026-06-14T09:00:00.000Z')`;
    await inControl(school, row);
    const refused = await owner.get("/flights");
    await inControl(school, sql`delete from suspensions where org_id = ${orgId}`);
    return refused;
  },
  not_a_member: ({ school: { installation, owner }, from }) => {
    const body = { email: owner.email, password, org_id: "01890a5d-0000-7000-8000-000000000000" };
    return installation.call("POST", "/auth/login", { body, from });
  },
  not_the_student: async ({ school: { instructor, owner, ...school } }) => {
    const { signoff } = await enrolled({ instructor, owner, ...school });
    const { id } = expectStatus(201, await instructor.post("/training/signoffs", signoff("3"))).body.data;
    return owner.post(`/training/signoffs/${id}/acknowledge`);
  },
  not_ready_for_test: async ({ school: { owner, instructor, ...school } }) => {
    const { enrollment } = await enrolled({ owner, instructor, ...school }, { ...small, skill_test: true });
    const test = { kind: "skill_test", taken_on: "2026-06-14", passed: true };
    return instructor.post(`/training/enrollments/${enrollment}/exams`, test);
  },
  subject_passed: async ({ school: { owner, instructor, ...school } }) => {
    const theory = {
      legal_basis: "FCL.025",
      pass_percent: 75,
      attempts: 4,
      sittings: null,
      months: 18,
      valid_months: 24,
    };
    const subjects = [
      { code: "law", name: "Air law" },
      { code: "navigation", name: "Navigation" },
    ];
    const { enrollment } = await enrolled({ owner, instructor, ...school }, { ...small, theory, subjects });
    const path = `/training/enrollments/${enrollment}/exams`;
    const exam = { kind: "theory", subject: "law", percent: 80, taken_on: "2026-06-01" };
    expectStatus(201, await instructor.post(path, exam));
    return instructor.post(path, { ...exam, taken_on: "2026-06-02" });
  },
  not_crew_member: async ({ school: { student, aircraftId } }) => {
    const draft = expectStatus(201, await student.post("/flights", { aircraft_id: aircraftId })).body.data;
    return student.post(`/flights/${draft.id}/submit`);
  },
  own_flight: async ({ school }) => {
    const crew = [{ person_id: school.instructor.personId, function: "pic" }];
    const { id } = await school.submitFlight(school.instructor, { body: { crew } });
    return school.instructor.post(`/flights/${id}/approve`);
  },
  own_training: async ({ school: { instructor, owner, ...school } }) => {
    expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { types: ["instructor", "pilot"] }));
    const { signoff } = await enrolled({ instructor, owner, ...school, student: instructor });
    return instructor.post("/training/signoffs", signoff("3"));
  },
  owner_required: async ({ school }) => {
    const admin = await school.join(["admin"]);
    return admin.post("/invites", { email: newEmail(), roles: ["owner"] });
  },
  pack_not_valid: async ({ school }) => {
    const { enrollment } = await enrolled(school);
    return school.owner.call(
      "POST",
      `/orgs/${school.orgId}/training/enrollments/${enrollment}/credits/import?key=${"x".repeat(43)}`,
      { body: new Blob(["PK"], { type: "application/zip" }) },
    );
  },
  content_damaged: async ({ school }) => {
    const { owner, installation, orgId } = school;
    const { id } = await newRecord(school);
    const path = `/compliance/records/${id}/attachments`;
    const upload = owner.call("POST", `/orgs/${orgId}${path}?filename=scan.pdf`, { body: pdf() });
    const file = expectStatus(201, await upload).body.data;
    const tenant = installation.storage.tenants.tenant(orgId as OrgId);
    await tenant.write((tx) => tx.run(sql`update attachment_chunks set data = x'00' where attachment_id = ${file.id}`));
    return owner.get(`${path}/${file.id}/content`);
  },
  content_removed: async ({ school: { owner } }) => {
    const body = { type: "pilot_portable", person_id: owner.personId };
    const { id } = expectStatus(202, await owner.post("/evidence-packs", body)).body.data;
    expectStatus(200, await owner.delete(`/evidence-packs/${id}`));
    return owner.get(`/evidence-packs/${id}/content`);
  },
  pack_outdated: { file: "test/http/evidence/credits-identity.test.ts" },
  training_not_in_pack: { file: "test/http/evidence/credits-import.test.ts" },
  password_not_set: async (scene) => {
    const body = { current_password: password, new_password: "another horse battery" };
    return scene.school.installation.call("POST", "/auth/password", { token: await arrived(scene), body });
  },
  password_wrong: ({ school: { owner } }) => {
    const body = { current_password: "not the password", new_password: "another horse battery" };
    return owner.call("POST", "/auth/password", { body });
  },
  permission_missing: ofRow("GET /orgs/{orgId}/integrations/event-catalog", 403),
  person_archived: async ({ school }) => {
    expectStatus(200, await school.owner.patch(`/people/${school.student.personId}`, { status: "archived" }));
    return school.student.post("/flights", school.flightBody());
  },
  flights_pending: async ({ school }) => {
    const { id } = await newPerson(school);
    await school.submitFlight(school.instructor, { body: { crew: [{ person_id: id, function: "pic" }] } });
    return school.owner.post(`/people/${id}/erase`);
  },
  person_erased: async ({ school }) => {
    const { id } = await newPerson(school);
    expectStatus(200, await school.owner.post(`/people/${id}/erase`));
    return school.owner.post(`/people/${id}/erase`);
  },
  person_has_account: ({ school: { owner, student } }) => owner.post(`/people/${student.personId}/erase`),
  records_kept: async ({ school }) => {
    const { id } = await newPerson(school);
    const flight = await school.submitFlight(school.instructor, {
      body: { crew: [{ person_id: id, function: "solo" }] },
    });
    expectStatus(200, await school.instructor.post(`/flights/${flight.id}/approve`));
    return school.owner.post(`/people/${id}/erase`);
  },
  person_deleted: async ({ school }) => {
    const { id, personId } = await invitedStudent(school);
    await inRecords(school, sql`delete from people where id = ${personId}`);
    return school.owner.post(`/student-invites/${id}/resend`);
  },
  own_training_recorded: async ({ school }) => {
    const { owner } = school;
    const { id } = await newPerson(school);
    const credits = [{ measure: "dual_minutes", amount: 600, reason: "Elsewhere." }];
    const revision = await publish(school, small);
    const body = { student_id: id, revision_id: revision.id, started_on: "2026-01-15", credits };
    expectStatus(201, await owner.post("/training/enrollments", body));
    expectStatus(200, await owner.patch(`/people/${owner.personId}`, { user_id: null }));
    return owner.patch(`/people/${id}`, { user_id: owner.userId });
  },
  person_linked: ({ school: { owner, student } }) =>
    owner.post("/student-invites", { person_id: student.personId, email: newEmail() }),
  person_not_student: async ({ school }) =>
    school.owner.post("/student-invites", { person_id: (await newPerson(school, ["pilot"])).id }),
  other_subject: async ({ school }) => {
    const { id } = await newRecord(school);
    return school.owner.post("/compliance/records", { ...sepOf(school.instructor.personId), supersedes: id });
  },
  quota_exceeded: async ({ school }) => {
    const { id } = await newRecord(school);
    await inRecords(school, sql`insert into attachment_usage (bytes) values (${1024 ** 3})`);
    const path = `/orgs/${school.orgId}/compliance/records/${id}/attachments?filename=a.pdf`;
    return school.owner.call("POST", path, { body: pdf() });
  },
  program_in_use: async ({ school }) => {
    const { revision } = await enrolled(school);
    return school.owner.delete(`/training/programs/${revision.program_id}`);
  },
  prerequisite_missing: async ({ school }) => {
    const { signoff } = await enrolled(school);
    return school.instructor.post("/training/signoffs", signoff("2"));
  },
  program_not_permitted: async ({ school: { owner, orgId } }) => {
    expectStatus(200, await owner.call("PATCH", `/orgs/${orgId}`, { body: { kind: "dto" } }));
    return owner.post("/training/programs", { kind: "ir", name: "IR(A)" });
  },
  revision_empty: async ({ school: { owner } }) => {
    const draft = await owner.post("/training/programs/import", { ...small, lessons: [] });
    const { program_id, id } = expectStatus(201, draft).body.data;
    return owner.post(`/training/programs/${program_id}/revisions/${id}/publish`);
  },
  revision_frozen: async ({ school }) => {
    const { revision } = await enrolled(school);
    return school.owner.patch(revision.path, { legal_basis: "Another" });
  },
  customer_number_taken: async ({ school: { owner, student, instructor } }) => {
    const change = { customer_number: "10042" };
    expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, change));
    return owner.patch(`/finance/customers/${instructor.personId}`, change);
  },
  registration_taken: ({ school: { owner } }) =>
    owner.post("/aircraft", { registration: "D-EABC", model: "Cessna 172S", class: "SEP" }),
  export_running: async ({ school: { owner } }) => {
    const body = { passphrase: "correct horse battery staple" };
    const answers = await Promise.all([owner.post("/export", body), owner.post("/export", body)]);
    return answers.find(({ status }) => status === 409) ?? answers[0];
  },
  replay_running: async ({ school: { installation, owner } }) => {
    const now = installation.clock.now().getTime();
    const body = { since: new Date(now - 60_000).toISOString(), until: new Date(now).toISOString() };
    expectStatus(202, await owner.post("/integrations/replays", body));
    return owner.post("/integrations/replays", body);
  },
  request_in_progress: ofRow("POST /auth/establish-token", 409),
  records_restored: ofRow("GET /api/v1/public/pilots", 410),
  revision_changed: async ({ school }) => {
    const { id, revision } = await school.submitFlight(school.student);
    return school.instructor.post(`/flights/${id}/approve`, { revision: revision + 1 });
  },
  resource_changed: ({ school: { owner, orgId } }) =>
    owner.call("PATCH", `/orgs/${orgId}/people/${owner.personId}`, {
      body: { city: "Egelsbach" },
      headers: { "if-match": '"3b1f8c40d29ae675"' },
    }),
  scope_missing: ofRow("GET /api/v1/public/flights", 403),
  second_factor_exists: ofRow("POST /auth/mfa/enroll/start", 409),
  second_factor_missing: ofRow("POST /auth/mfa/step", 412),
  secret_just_rotated: async ({ school }) => {
    const path = `${endpoints}/${await endpointOf(school)}/rotate-secret`;
    expectStatus(200, await school.owner.post(path));
    return school.owner.post(path);
  },
  session_over: async ({ school: { installation, owner } }) => {
    const begun = await begin(installation, { token: owner.token });
    expectStatus(200, await owner.call("DELETE", "/auth/sessions"));
    return comeBack(installation, providerOf(installation).admit(begun, newcomer()), begun.cookie);
  },
  sign_in_over: ofRow("POST /auth/mfa/verify", 401),
  step_up_required: ofRow("DELETE /auth/mfa/enroll", 403),
  charge_invoiced: async ({ school }) => {
    const id = await chargedFlight(school);
    await inRecords(school, sql`update finance_charges set status = 'invoiced' where flight_id = ${id}`);
    return school.owner.post(`/finance/flights/${id}/waive`, { reason: "A prize." });
  },
  charge_not_by_hand: async ({ school }) => {
    const id = await chargedFlight(school);
    const [charge] = (await school.owner.get(`/finance/charges?flight_id=${id}`)).body.data;
    return school.owner.post(`/finance/charges/${charge.id}/reverse`, { reason: "A prize." });
  },
  charge_reversed: async ({ school: { owner, student } }) => {
    const headset = { description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 1500 };
    const added = await owner.post("/finance/charges", { person_id: student.personId, ...headset });
    const path = `/finance/charges/${expectStatus(201, added).body.data.id}/reverse`;
    expectStatus(200, await owner.post(path, { reason: "Twice." }));
    return owner.post(path, { reason: "Twice." });
  },
  flight_imported: async ({ school }) => {
    const { id } = await school.submitFlight(school.student);
    await inRecords(school, sql`update flights set status = 'approved', imported = 1 where id = ${id}`);
    return school.owner.post(`/finance/flights/${id}/charge`);
  },
  invoice_not_sendable: async ({ school }) => {
    const { id } = await newInvoice(school);
    expectStatus(200, await school.owner.patch(`/finance/invoices/${id}`, { lines: [] }));
    return school.owner.post(`/finance/invoices/${id}/send`);
  },
  vat_not_allowed: async ({ school }) => {
    const { id } = await newInvoice(school);
    expectStatus(200, await school.owner.patch("/finance/settings", { small_business: true }));
    return school.owner.post(`/finance/invoices/${id}/send`);
  },
  seller_incomplete: async ({ school }) => {
    const { id } = await newInvoice(school);
    expectStatus(200, await school.owner.patch("/finance/settings", { street: null }));
    return school.owner.post(`/finance/invoices/${id}/send`);
  },
  buyer_incomplete: async ({ school }) => {
    const { id } = await newInvoice(school, { unit_price_minor: 25_001 });
    return school.owner.post(`/finance/invoices/${id}/send`);
  },
  vat_category_mismatch: async ({ school }) => {
    const vat = (vat_category: string) => ({ ...headset, vat_category });
    const body = { person_id: school.student.personId, lines: [vat("outside_scope"), vat("zero")] };
    await completeSeller(school);
    expectStatus(200, await school.owner.patch("/finance/settings", { tax_number: "044 123" }));
    const { id } = expectStatus(201, await school.owner.post("/finance/invoices", body)).body.data;
    return school.owner.post(`/finance/invoices/${id}/send`);
  },
  exchange_rate_missing: async ({ school }) => {
    expectStatus(200, await school.owner.patch("", { currency: "USD" }));
    const { id } = await newInvoice(school);
    await completeBuyer(school, school.student.personId);
    return school.owner.post(`/finance/invoices/${id}/send`);
  },
  e_invoice_incomplete: async ({ school }) => {
    const { id } = await sendInvoice(school, await newInvoice(school));
    return school.owner.get(`/finance/invoices/${id}/document?format=factur-x`);
  },
  credit_exceeds_invoice: async ({ school }) => {
    const { id } = await sendInvoice(school, await newInvoice(school));
    const credit = await school.owner.post(`/finance/invoices/${id}/credit`, { reason: "Twice." });
    const { data: draft } = expectStatus(201, credit).body;
    // As a draft of an older version, which named no lines, and counted drafts only when they were sent.
    await inRecords(
      school,
      sql`update finance_invoice_lines set credits_line_id = null where invoice_id = ${draft.id}`,
    );
    await inRecords(
      school,
      sql`update finance_invoice_lines set net_minor = 1, vat_minor = 0 where invoice_id = ${id}`,
    );
    return school.owner.post(`/finance/invoices/${draft.id}/send`);
  },
  credit_exceeds_line: async ({ school }) => {
    const { id } = await sendInvoice(school, await newInvoice(school));
    const [line] = (await school.owner.get(`/finance/invoices/${id}`)).body.data.lines;
    const lines = [{ line_id: line.id, net_minor: line.net_minor + 1 }];
    return school.owner.post(`/finance/invoices/${id}/credit`, { reason: "Too much.", lines });
  },
  invoice_settled: async ({ school }) => {
    const { id } = await sendInvoice(school, await newInvoice(school));
    const payment = { invoice_id: id, amount_minor: 1, method: "cash" };
    expectStatus(201, await school.owner.post("/finance/payments", payment));
    return school.owner.post(`/finance/invoices/${id}/cancel`, { reason: "Twice." });
  },
  line_credited: async ({ school }) => {
    const { id } = await sendInvoice(school, await newInvoice(school));
    const credit = () => school.owner.post(`/finance/invoices/${id}/credit`, { reason: "Twice." });
    expectStatus(201, await credit());
    return credit();
  },
  invoice_not_payable: async ({ school }) => {
    const { id } = await newInvoice(school);
    return school.owner.post("/finance/payments", { invoice_id: id, amount_minor: 1, method: "cash" });
  },
  nothing_on_account: async ({ school }) => {
    const [first, second] = [await newInvoice(school), await newInvoice(school)];
    for (const one of [first, second]) await sendInvoice(school, one);
    const payment = { invoice_id: first.id, amount_minor: 1, method: "cash" };
    const { id } = expectStatus(201, await school.owner.post("/finance/payments", payment)).body.data;
    return school.owner.post(`/finance/payments/${id}/allocate`, { invoice_id: second.id });
  },
  nothing_to_refund: async ({ school }) => {
    const { id } = await sendInvoice(school, await newInvoice(school));
    return school.owner.post(`/finance/invoices/${id}/refund`, { reason: "Twice." });
  },
  package_drawn: async ({ school }) => {
    const { owner, student } = school;
    const hours = {
      name: "1 hour",
      uses: "aircraft",
      quantity: "60.00",
      price_minor: 20_000,
      valid_from: "2026-01-01",
    };
    const { id } = expectStatus(201, await owner.post("/finance/packages", { person_id: student.personId, ...hours }))
      .body.data;
    await chargedFlight(school);
    const charges = (await owner.get(`/finance/charges?person_id=${student.personId}&limit=500`)).body.data;
    const sale = charges.find(
      (one: { kind: string; package_id: string }) => one.kind === "package" && one.package_id === id,
    );
    return owner.post(`/finance/charges/${sale.id}/reverse`, { reason: "Not wanted." });
  },
  rate_overlaps: async ({ school: { owner } }) => {
    const rate = { kind: "landing", place: "EDTF", price_minor: 700, valid_from: "2026-01-01" };
    expectStatus(201, await owner.post("/finance/rates", rate));
    return owner.post("/finance/rates", { ...rate, valid_from: "2026-06-01" });
  },
  rate_used: async ({ school }) => {
    const id = await chargedFlight(school);
    const [{ rate_id }] = (await school.owner.get(`/finance/charges?flight_id=${id}`)).body.data;
    return school.owner.delete(`/finance/rates/${rate_id}`);
  },
  training_incomplete: async ({ school }) => {
    const { enrollment } = await enrolled(school);
    return school.owner.post(`/training/enrollments/${enrollment}/complete`);
  },
  training_recorded: async ({ school }) => {
    const { enrollment, signoff } = await enrolled(school);
    const signed = { ...signoff("3"), signed_at: "2026-06-01T10:00:00Z" };
    expectStatus(201, await school.instructor.post("/training/signoffs", signed));
    return school.owner.patch(`/training/enrollments/${enrollment}`, { started_on: "2026-06-02" });
  },
  type_built_in: async ({ school: { owner } }) => owner.delete(`/compliance/types/${await typeNamed(owner, "sep")}`),
  type_in_use: async ({ school }) => {
    const { id } = expectStatus(201, await school.owner.post("/compliance/types", newType("in_use"))).body.data;
    expectStatus(
      201,
      await school.owner.post("/compliance/records", { ...sepOf(school.student.personId), type: "in_use" }),
    );
    return school.owner.delete(`/compliance/types/${id}`);
  },
  type_key_taken: ({ school: { owner } }) => owner.post("/compliance/types", newType("sep")),
  student_not_qualified: async ({ school }) => {
    const { owner, instructor } = school;
    const { signoff } = await enrolled(school);
    const fi = { person_id: instructor.personId, type: "fi", issued_on: "2025-01-15", valid_until: "2028-01-31" };
    expectStatus(201, await owner.post("/compliance/records", fi));
    for (const at of [0, 1]) expectStatus(201, await instructor.post("/training/signoffs", signoff("1", at)));
    return instructor.post("/training/signoffs", signoff("2"));
  },
  supervises_instructors: async ({ school: { owner, instructor } }) => {
    const supervised = { name: "Finn", types: ["instructor"], restricted_instructor: true };
    expectStatus(201, await owner.post("/people", { ...supervised, supervisor_id: instructor.personId }));
    return owner.patch(`/people/${instructor.personId}`, { status: "archived" });
  },
  unverified: (scene) => arrive(scene, { ...newcomer(), email_verified: false }),
  wrong_status: async ({ school }) => {
    const { id } = await school.draftFlight(school.student);
    return school.instructor.post(`/flights/${id}/approve`);
  },
};
