/**
 * What nobody does for themself, and what only the person does. An admin may link accounts to people, so neither may depend
 * on the link of the moment: dropping one's own, borrowing another's for a minute, or linking only afterwards changes nothing. A new
 * place of either kind, and a new way to link, belongs into these lists.
 */
import { expect, test } from "bun:test";
import type { OrgId, PersonId, UserId } from "../../../src/core/ids.ts";
import { linkAccount } from "../../../src/modules/people/link-account.ts";
import { ownTrainingAffairs } from "../../../src/modules/training/own-affairs.queries.ts";
import { profilePath, publish as publishProfile } from "../../support/directory.ts";
import { type Answer, newInstallation } from "../../support/installation.ts";
import { makeReviewer, newReviewer, submittedListing } from "../../support/market.ts";
import { planOf } from "../../support/query-plans.ts";
import { csv, expectStatus, type Member } from "../../support/school.ts";
import { forged, forger, partsOf, sendPack } from "../evidence/packing.ts";
import { enroll, newTrainingSchool, publish, small } from "../training/school.ts";

const syllabus = {
  ...small,
  theory: { pass_percent: 75, attempts: 4, months: 18, valid_months: 24, legal_basis: "FCL.025" },
  subjects: [{ code: "law", name: "Air law" }],
  lessons: [small.lessons[2]],
};

/** A school with an admin who flies, and is trained there. */
async function scene() {
  const installation = await newInstallation();
  const school = await newTrainingSchool(syllabus, installation);
  const { owner, instructor, revision, join } = school;
  const admin = await join(["admin"], "Flying Admin");
  expectStatus(200, await owner.patch(`/people/${admin.personId}`, { types: ["student", "pilot"] }));
  const id = await enroll({ ...school, student: admin });
  const enrollment = `/training/enrollments/${id}`;
  const lesson = revision.lesson("3");
  return {
    ...{ ...school, installation },
    ...{ admin, id, enrollment },
    session: {
      ...{ lesson_id: lesson.id, held_on: "2026-06-10", minutes: 45, instructor_id: instructor.personId },
    },
    signoff: {
      ...{ enrollment_id: id, item_id: lesson.items[0].id, grade: "ok", instructor_id: instructor.personId },
    },
    exam: { kind: "theory", subject: "law", percent: 80, taken_on: "2026-06-01" },
    credits: [{ measure: "dual_minutes", amount: 600, reason: "Elsewhere." }],
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;
type Act = (by: Member) => Promise<Answer>;

const voiding = async ({ owner }: Scene, list: string, body: object): Promise<Act> => {
  const { id } = expectStatus(201, await owner.post(list, body)).body.data;
  return (by) => by.post(`${list}/${id}/void`, { reason: "Wrong." });
};

/** What nobody does for themself. Each returns the request about the admin. */
const refused: Record<string, (scene: Scene) => Act | Promise<Act>> = {
  "records a ground session":
    ({ enrollment, session }) =>
    (by) =>
      by.post(`${enrollment}/ground-sessions`, session),
  "voids a ground session": (at) => voiding(at, `${at.enrollment}/ground-sessions`, at.session),
  "signs off an item":
    ({ signoff }) =>
    (by) =>
      by.post("/training/signoffs", signoff),
  "voids a signoff": (at) => voiding(at, "/training/signoffs", at.signoff),
  "records an exam":
    ({ enrollment, exam }) =>
    (by) =>
      by.post(`${enrollment}/exams`, exam),
  "voids an exam": (at) => voiding(at, `${at.enrollment}/exams`, at.exam),
  "enrolls with credits": async ({ owner, admin, credits }) => {
    const { id: revision_id } = await publish({ owner }, { ...syllabus, kind: "lapl_a" });
    const body = { student_id: admin.personId, revision_id, started_on: "2026-01-15", credits };
    return (by) => by.post("/training/enrollments", body);
  },
  "changes credits":
    ({ enrollment, credits }) =>
    (by) =>
      by.patch(enrollment, { credits }),
  "imports credits":
    ({ id }) =>
    (by) =>
      sendPack(by, id, `key=${forger.thumbprint}`, forged(partsOf({ dual_minutes: 60 }, { name: "Flying Admin" }))),
  "completes a training": async ({ owner, enrollment, signoff, exam }) => {
    expectStatus(201, await owner.post("/training/signoffs", signoff));
    expectStatus(201, await owner.post(`${enrollment}/exams`, exam));
    return (by) => by.post(`${enrollment}/complete`);
  },
  "approves a flight": async ({ admin, submitFlight }) => {
    const { id } = await submitFlight(admin, { body: { crew: [{ person_id: admin.personId, function: "pic" }] } });
    return (by) => by.post(`/flights/${id}/approve`);
  },
};

test.each(Object.keys(refused))("nobody %s of their own, nor after dropping the link for a minute", async (name) => {
  const at = await scene();
  const { admin, owner } = at;
  const act = await refused[name]?.(at);
  if (act === undefined) throw new Error("There is no such place.");
  const reason = name === "approves a flight" ? "own_flight" : "own_training";
  expect(expectStatus(403, await act(admin)).body.error.reason).toBe(reason);
  at.installation.clock.advance(60_000);
  const dropped = { user_id: null, email: "another@address.example" };
  expectStatus(200, await admin.patch(`/people/${admin.personId}`, dropped));
  at.installation.clock.advance(60_000);
  expect(expectStatus(403, await act(admin)).body.error.reason).toBe(reason);
  expect((await act(owner)).status).toBeLessThan(300);
});

test("an imported flight is marked if the member was on board, also after dropping the link for a minute", async () => {
  const { admin, owner, installation } = await scene();
  const line = (by: string) => `D-EABC,2026-06-${by}T08:00:00Z,2026-06-${by}T09:00:00Z,EDFE,EDFE,1,${admin.personId}`;
  const marked = async (by: Member, day: string) => {
    const text = `registration,off_block_at,on_block_at,departure,arrival,day_landings,pic\n${line(day)}\n`;
    expectStatus(200, await by.call("POST", `/orgs/${by.orgId}/flights/import`, { body: csv(text) }));
    const [flight] = expectStatus(200, await owner.get(`/flights?from=2026-06-${day}T00:00:00Z&limit=1`)).body.data;
    return flight.self_approval_reason !== null;
  };
  expect(await marked(admin, "10")).toBe(true);
  installation.clock.advance(60_000);
  expectStatus(200, await admin.patch(`/people/${admin.personId}`, { user_id: null, email: null }));
  expect(await marked(admin, "11")).toBe(true);
  expect(await marked(owner, "12")).toBe(false);
});

test("nobody reviews an add-on of their own organization, nor after leaving it for a minute", async () => {
  const { admin, owner, installation } = await scene();
  await makeReviewer(installation, admin.email);
  const { id } = await submittedListing(owner);
  const approve = (token: string) => installation.call("POST", `/admin/addon-listings/${id}/approve`, { token });
  expect((await approve(admin.token)).body.error.reason).toBe("conflict_of_interest");
  // Twice: a membership that ended once more is remembered like the first.
  for (const _ of [1, 2]) {
    expectStatus(200, await admin.delete(`/members/${admin.userId}`));
    expect((await approve(admin.token)).body.error.reason).toBe("conflict_of_interest");
    const invite = expectStatus(201, await owner.post("/invites", { email: admin.email, roles: ["admin"] })).body.data;
    expectStatus(200, await admin.call("POST", "/auth/org-invites/claim", { body: { token: invite.token } }));
  }
  expectStatus(200, await approve((await newReviewer(installation)).token));
});

/** What only the person does. Each makes what the admin then does as the borrowed person. */
const borrowed: Record<string, { as: "student" | "instructor"; act: (scene: Scene) => Promise<Act> }> = {
  "acknowledges a signoff": {
    as: "student",
    async act({ owner, student, revision, signoff }) {
      const enrollment_id = await enroll({ owner, student, revision });
      const { id } = expectStatus(201, await owner.post("/training/signoffs", { ...signoff, enrollment_id })).body.data;
      return (by) => by.post(`/training/signoffs/${id}/acknowledge`);
    },
  },
  "consents to a directory entry": {
    as: "instructor",
    async act({ owner, instructor }) {
      await publishProfile(owner, "instructors", instructor.personId);
      return (by) => by.post(`${profilePath("instructors", instructor.personId)}/consent`);
    },
  },
};

const borrowers: Record<string, (scene: Scene, person: Member) => Promise<void>> = {
  "linked themself": async ({ admin }, person) => {
    expectStatus(200, await admin.patch(`/people/${person.personId}`, { user_id: admin.userId }));
  },
  "linked themself, with their address": async ({ admin }, person) => {
    const theirs = { user_id: admin.userId, email: admin.email };
    expectStatus(200, await admin.patch(`/people/${person.personId}`, theirs));
  },
  "sent themself an invite": async ({ admin }, person) => {
    const types = ["student", "instructor"];
    expectStatus(200, await admin.patch(`/people/${person.personId}`, { user_id: null, types }));
    const ask = { person_id: person.personId, email: admin.email };
    const { token } = expectStatus(201, await admin.post("/student-invites", ask)).body.data;
    expectStatus(200, await admin.call("POST", "/auth/student-invites/claim", { body: { token } }));
  },
};

const ways = Object.keys(borrowed).flatMap((act) => Object.keys(borrowers).map((way) => [act, way] as const));

test.each(ways)("nobody %s as another person to whom they %s", async (name, way) => {
  const at = await scene();
  const { admin, owner } = at;
  const place = borrowed[name];
  if (place === undefined) throw new Error("There is no such place.");
  const person = at[place.as];
  const act = await place.act(at);
  expectStatus(200, await admin.patch(`/people/${admin.personId}`, { user_id: null }));
  await borrowers[way]?.(at, person);
  const [linked] = expectStatus(200, await owner.get(`/people?q=${person.email}`)).body.data;
  expect([undefined, admin.userId]).toContain(linked?.user_id);
  expect(expectStatus(403, await act(admin)).body.error.reason).toBe("link_unconfirmed");
  // Another member links them.
  expectStatus(200, await owner.patch(`/people/${person.personId}`, { user_id: null }));
  expectStatus(200, await owner.patch(`/people/${person.personId}`, { user_id: person.userId, email: person.email }));
  expectStatus(200, await act(person));
});

test("nobody signs off as the instructor whom they linked to themself", async () => {
  const at = await scene();
  const { admin, owner, instructor, student, revision, signoff } = at;
  const enrollment_id = await enroll({ owner, student, revision });
  const body = { ...signoff, enrollment_id };
  const sign = async (by: Member, named: string | null) => {
    const answer = await by.post("/training/signoffs", { ...body, instructor_id: named });
    return answer.body.data?.signed_by_instructor ?? answer.body.issues?.[0].path;
  };
  expect(await sign(instructor, null)).toBe(true);
  expectStatus(200, await admin.patch(`/people/${admin.personId}`, { user_id: null }));
  expectStatus(200, await admin.patch(`/people/${instructor.personId}`, { user_id: admin.userId }));
  expect(await sign(admin, null)).toBe("body.instructor_id");
  expect(await sign(admin, instructor.personId)).toBe(false);
  // An instructor only: nobody may name another.
  expectStatus(200, await owner.patch(`/members/${admin.userId}`, { roles: ["instructor"] }));
  expect((await admin.post("/training/signoffs", body)).status).toBe(403);
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { user_id: null }));
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { user_id: admin.userId }));
  expect(await sign(admin, null)).toBe(true);
});

test("a person who never was anybody else acts by an account that linked itself", async () => {
  const { owner, admin, instructor, revision, signoff } = await scene();
  const acknowledges = async (person: object, link: object) => {
    expectStatus(200, await admin.patch(`/people/${admin.personId}`, { user_id: null }));
    const added = { name: "Andy Admin", types: ["student"], ...person };
    const { id } = expectStatus(201, await admin.post("/people", added)).body.data;
    for (const change of [{ user_id: admin.userId }, link])
      if (Object.keys(link).length > 0) expectStatus(200, await admin.patch(`/people/${id}`, change));
    const enrollment_id = await enroll({ owner, student: { ...admin, personId: id } as Member, revision });
    const body = { ...signoff, enrollment_id, instructor_id: instructor.personId };
    const made = expectStatus(201, await owner.post("/training/signoffs", body)).body.data;
    const { status } = await admin.post(`/training/signoffs/${made.id}/acknowledge`);
    expectStatus(200, await admin.patch(`/people/${id}`, { user_id: null, email: null }));
    return status;
  };
  const { email, userId: user_id } = admin;
  expect(await acknowledges({ user_id }, {})).toBe(200);
  expect(await acknowledges({ email }, { user_id })).toBe(200);
  expect(await acknowledges({ user_id }, { email: "new@address.example" })).toBe(200);
  expect(await acknowledges({}, { user_id })).toBe(403);
  expect(await acknowledges({}, { email })).toBe(403);
  expect(await acknowledges({ email: "sam@address.example" }, { email })).toBe(403);
});

/** A school whose admin acts as nobody yet, and a person without an account, who is enrolled. */
async function beforeLinking() {
  const school = await newTrainingSchool(syllabus);
  const { owner, instructor, revision, join } = school;
  const admin = await join(["admin"], "Flying Admin");
  expectStatus(200, await owner.patch(`/people/${admin.personId}`, { user_id: null, email: null }));
  const added = { name: "Andy Admin", types: ["student"] };
  const personId: string = expectStatus(201, await owner.post("/people", added)).body.data.id;
  const id = await enroll({ owner, student: { ...admin, personId } as Member, revision });
  const lesson = revision.lesson("3");
  const [path, instructor_id] = [`/training/enrollments/${id}`, instructor.personId];
  const lists = {
    sessions: `${path}/ground-sessions`,
    signoffs: "/training/signoffs",
    exams: `${path}/exams`,
  };
  const bodies = {
    sessions: { lesson_id: lesson.id, held_on: "2026-06-10", minutes: 45, instructor_id },
    signoffs: { enrollment_id: id, item_id: lesson.items[0].id, grade: "ok", instructor_id },
    exams: { kind: "theory", subject: "law", percent: 80, taken_on: "2026-06-01" },
  };
  const add = async (by: Member, kind: keyof typeof lists): Promise<string> =>
    `${lists[kind]}/${expectStatus(201, await by.post(lists[kind], bodies[kind])).body.data.id}`;
  const annul = async (by: Member, record: string) =>
    expectStatus(200, await by.post(`${record}/void`, { reason: "Wrong." }));
  const credits = [{ measure: "dual_minutes", amount: 1500, reason: "Elsewhere." }];
  const credit = async (by: Member, listed: object[] = credits) =>
    expectStatus(200, await by.patch(path, { credits: listed }));
  return { ...school, admin, personId, id, path, add, annul, credit, credits };
}

type Linking = Awaited<ReturnType<typeof beforeLinking>>;
const kindsOfRecord = ["sessions", "signoffs", "exams"] as const;
const named = { sessions: "ground sessions (1)", signoffs: "signoffs (1)", exams: "exams (1)" };

/** What the admin does about the person, and what the refusal names. */
const done: Record<string, (at: Linking) => Promise<string>> = {
  ...Object.fromEntries(
    kindsOfRecord.map((kind) => [
      `recorded one of the ${kind}`,
      async ({ admin, add }: Linking) => {
        await add(admin, kind);
        return named[kind];
      },
    ]),
  ),
  ...Object.fromEntries(
    kindsOfRecord.map((kind) => [
      `voided one of the ${kind} of another`,
      async ({ owner, admin, add, annul }: Linking) => {
        await annul(admin, await add(owner, kind));
        return "voided records (1)";
      },
    ]),
  ),
  async "enrolled them with credits"({ owner, admin, personId, credits }) {
    const { id: revision_id } = await publish({ owner }, { ...syllabus, kind: "lapl_a" });
    const body = { student_id: personId, revision_id, started_on: "2026-01-15", credits };
    expectStatus(201, await admin.post("/training/enrollments", body));
    return "credits (1)";
  },
  async "credited earlier training, beside a credit of another"({ owner, admin, credit, credits }) {
    await credit(owner);
    await credit(admin, [...credits, ...credits]);
    return "credits (1)";
  },
  async "imported credits"({ admin, id, path, owner }) {
    const pack = forged(partsOf({ dual_minutes: 60 }, { name: "Andy Admin" }));
    expect((await sendPack(admin, id, `key=${forger.thumbprint}`, pack)).status).toBeLessThan(300);
    const { credits } = expectStatus(200, await owner.get(path)).body.data;
    return `credits (${credits.length})`;
  },
  async "completed their training"({ owner, admin, add, path }) {
    await add(owner, "signoffs");
    await add(owner, "exams");
    expectStatus(200, await admin.post(`${path}/complete`));
    return "completed trainings (1)";
  },
};

const invited = async (by: Member, { personId, admin }: Linking): Promise<string> => {
  const ask = { person_id: personId, email: admin.email };
  return expectStatus(201, await by.post("/student-invites", ask)).body.data.token;
};
const claim = (token: string, { admin }: Linking) =>
  admin.call("POST", "/auth/student-invites/claim", { body: { token } });

/** All ways to link an account to a person. Each prepares one, and returns the request. */
const linking: Record<string, (at: Linking) => Promise<() => Promise<Answer>>> = {
  async "by a change of the person"({ admin, personId }) {
    return () => admin.patch(`/people/${personId}`, { user_id: admin.userId });
  },
  async "by another member's change of the person"({ admin, owner, personId }) {
    return () => owner.patch(`/people/${personId}`, { user_id: admin.userId });
  },
  async "in place of another account"({ admin, owner, personId, join }) {
    const other = await join(["student"], "Other Student");
    expectStatus(200, await owner.patch(`/people/${other.personId}`, { user_id: null }));
    expectStatus(200, await owner.patch(`/people/${personId}`, { user_id: other.userId }));
    return () => owner.patch(`/people/${personId}`, { user_id: admin.userId });
  },
  async "by an invite"(at) {
    return () => at.owner.post("/student-invites", { person_id: at.personId, email: at.admin.email });
  },
  async "by a claim of an invite from before"(at) {
    const token = await invited(at.owner, at);
    return () => claim(token, at);
  },
  async "by an invite that is sent again"(at) {
    await invited(at.owner, at);
    const [{ id }] = expectStatus(200, await at.owner.get("/student-invites")).body.data;
    return () => at.owner.post(`/student-invites/${id}/resend`);
  },
};

const allLinks = Object.keys(linking).flatMap((way) => Object.keys(done).map((act) => [act, way] as const));

test.each(allLinks)("an account that %s is not linked to the person %s", async (act, way) => {
  const at = await beforeLinking();
  const link = await linking[way]?.(at);
  const what = await done[act]?.(at);
  if (link === undefined || what === undefined) throw new Error("There is no such place.");
  const { error } = expectStatus(409, await link()).body;
  expect(error.reason).toBe("own_training_recorded");
  expect(error.message).toStartWith(`The account has recorded training of this person: ${what}. `);
  const { user_id } = expectStatus(200, await at.owner.get(`/people/${at.personId}`)).body.data;
  expect(user_id).not.toBe(at.admin.userId);
});

test("what is recorded while an invite is claimed prevents the link, and the audit log says so", async () => {
  const at = await beforeLinking();
  const { admin, add, owner, personId, installation } = at;
  await add(admin, "exams");
  const link = { personId: personId as PersonId, userId: admin.userId as UserId, invitedBy: null };
  const by = { actor: { kind: "job", name: "intents" }, requestId: "" } as const;
  const tenant = installation.storage.tenants.tenant(owner.orgId as OrgId);
  await tenant.write((tx) => linkAccount(tx, by, link));
  expect(expectStatus(200, await owner.get(`/people/${personId}`)).body.data.user_id).toBeNull();
  const { data } = expectStatus(
    200,
    await owner.get(`/audit-log?subject_id=${personId}&action=person.not_linked`),
  ).body;
  expect(data).toMatchObject([{ after: { user_id: admin.userId, because: "own_affairs" } }]);
});

/** What another member does about it. */
const redone: Record<string, (at: Linking) => Promise<void>> = {
  ...Object.fromEntries(
    kindsOfRecord.map((kind) => [
      `voids and records one of the ${kind} anew`,
      async ({ owner, admin, add, annul }: Linking) => {
        const record = await add(admin, kind);
        await annul(owner, record);
        await add(owner, kind);
      },
    ]),
  ),
  ...Object.fromEntries(
    kindsOfRecord.map((kind) => [
      `does nothing, since the account has voided its own of the ${kind}`,
      async ({ admin, add, annul }: Linking) => void (await annul(admin, await add(admin, kind))),
    ]),
  ),
  async "takes the credits out and adds them anew"({ owner, admin, credit }) {
    await credit(admin);
    await credit(owner, []);
    await credit(owner);
  },
  async "gives the credits another reason"({ owner, admin, credit, credits }) {
    await credit(admin);
    await credit(
      owner,
      credits.map((one) => ({ ...one, reason: "As the other school confirmed." })),
    );
  },
};

test.each(Object.keys(redone))("an account is linked after another member %s", async (name) => {
  const at = await beforeLinking();
  await redone[name]?.(at);
  const { user_id } = expectStatus(200, await at.owner.patch(`/people/${at.personId}`, { user_id: at.admin.userId }))
    .body.data;
  expect(user_id).toBe(at.admin.userId);
});

test("credits that another member has listed again, with others, stay those of the account", async () => {
  const at = await beforeLinking();
  const { owner, admin, personId, credit, credits } = at;
  await credit(admin);
  await credit(owner, [...credits, { measure: "landings", amount: 10, reason: "Elsewhere." }]);
  const link = await owner.patch(`/people/${personId}`, { user_id: admin.userId });
  expect(expectStatus(409, link).body.error.message).toContain(": credits (1). ");
});

test("an account that enrolled, suspended and moved a person only is linked to them, and stays linked", async () => {
  const at = await beforeLinking();
  const { owner, admin, personId, path, add } = at;
  expectStatus(200, await admin.post(`${path}/suspend`, { reason: "Ill." }));
  expectStatus(200, await admin.post(`${path}/resume`));
  await add(owner, "exams");
  expectStatus(200, await owner.patch(`/people/${personId}`, { user_id: admin.userId }));
  expectStatus(200, await owner.patch(`/people/${personId}`, { user_id: admin.userId, phone: "+49 30 1" }));
});

test("what an account has done is looked up in indexes", async () => {
  const { installation, owner, personId } = await beforeLinking();
  const link = { personId: personId as PersonId, userId: owner.userId as UserId };
  const plan = await installation.storage.tenants
    .tenant(owner.orgId as OrgId)
    .read((reader) => planOf(reader, (reader) => ownTrainingAffairs(reader, link)));
  expect(plan.filter((line) => line.startsWith("SCAN"))).toEqual(["SCAN CONSTANT ROW"]);
  expect(plan.filter((line) => line.includes("audit_log"))).toEqual(
    Array.from({ length: 5 }, () => expect.stringContaining("USING INDEX audit_log_subject (subject_id=?")),
  );
});
