import { expect, test } from "bun:test";
import { hours } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/crypto.ts";
import type { OrgId } from "../../../src/core/ids.ts";
import { readShared } from "../../../src/modules/sharing/read-shared.ts";
import { type Purpose, shareTokens } from "../../../src/modules/sharing/sharing.tables.ts";
import type { newInstallation } from "../../support/installation.ts";
import { expectStatus, type Member, newOwnSchool, newSchool, type School, times } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";
import { suspend } from "../../support/suspending.ts";

const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";

const ofCalendar = (personId: string, change: object = {}) => ({
  purpose: "calendar",
  subject_id: personId,
  name: "My phone",
  ...change,
});
const create = async (by: Member, body: object) => expectStatus(201, await by.post("/share-tokens", body)).body.data;

/** What the holder of a token gets: "seen", or the error as a route answers it. */
const seen = async (
  { installation: { storage, clock }, orgId }: School<Awaited<ReturnType<typeof newInstallation>>>,
  presented: { purpose?: Purpose; subject_id: string; token: string; orgId?: string },
) => {
  try {
    const shared = { control: storage.control, tenants: storage.tenants, clock };
    return await readShared(shared, { purpose: "calendar", orgId, ...presented }, async () => "seen");
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};
const refused = "There is no such resource.";

test("a share token is shown once, and stored as a hash", async () => {
  const { student, owner, orgId, installation } = await newSchool();

  const { token, ...created } = await create(student, ofCalendar(student.personId));

  expect(created).toEqual({
    ...ofCalendar(student.personId),
    id: created.id,
    expires_at: null,
    created_by: student.userId,
    created_by_name: "Sam Student",
    created_at: "2026-06-14T09:00:00.000Z",
    revoked_at: null,
  });
  expect(Buffer.from(token, "base64url").length).toBe(32);
  expect(expectStatus(200, await student.get(`/share-tokens/${created.id}`)).body.data).toEqual(created);
  const log = expectStatus(200, await owner.get(`/audit-log?subject_id=${created.id}`));
  expect(log.body.data).toMatchObject([{ action: "share_token.created", after: created }]);
  const rows = await installation.storage.tenants
    .tenant(orgId as OrgId)
    .read((reader) => reader.select().from(shareTokens));
  expect(rows[0]?.token_hash).toBe(sha256(token));
  for (const text of [log.text, JSON.stringify(rows)]) expect(text).not.toContain(token);
});

test("a member shares what they may see, and sees their own tokens; managers see all", async () => {
  const { student, instructor, owner } = await newSchool();
  expectStatus(404, await student.post("/share-tokens", ofCalendar(owner.personId)));
  expectStatus(404, await owner.post("/share-tokens", ofCalendar(nobody)));
  const mine = await create(student, ofCalendar(student.personId));
  const other = await create(instructor, ofCalendar(student.personId, { name: "Tower" }));

  const ids = async (by: Member, query = "") =>
    expectStatus(200, await by.get(`/share-tokens${query}`))
      .body.data.map(({ id }: { id: string }) => id)
      .sort();
  expect(await ids(student)).toEqual([mine.id]);
  expect(await ids(instructor, `?subject_id=${student.personId}`)).toEqual([other.id]);
  expect(await ids(owner)).toEqual([mine.id, other.id].sort());
  expectStatus(404, await student.get(`/share-tokens/${other.id}`));
  expectStatus(404, await student.delete(`/share-tokens/${other.id}`));
  expectStatus(200, await owner.delete(`/share-tokens/${mine.id}`));
});

test("whatever is wrong with a token, the answer is the same, and takes as long", async () => {
  const school = await newOwnSchool();
  const { student, orgId, installation } = school;
  const other = await newSchool(installation);
  const subject_id = student.personId;
  const expires_at = new Date(installation.clock.now().getTime() + hours(1)).toISOString();
  const { token } = await create(student, ofCalendar(subject_id));
  const expiring = await create(student, ofCalendar(subject_id, { expires_at }));
  const revoked = await create(student, ofCalendar(subject_id));
  expect(await seen(school, { subject_id, token })).toBe("seen");
  expect(await seen(school, { subject_id, token: expiring.token })).toBe("seen");
  expect(await seen(school, { subject_id, token: revoked.token })).toBe("seen");
  expectStatus(200, await student.delete(`/share-tokens/${revoked.id}`));
  expectStatus(409, await student.delete(`/share-tokens/${revoked.id}`));
  installation.clock.advance(hours(1));

  for (const presented of [
    { subject_id, token: "" },
    { subject_id, token: sha256(token) },
    { subject_id, token: expiring.token },
    { subject_id, token: revoked.token },
    { subject_id: school.owner.personId, token },
    { subject_id: "no id", token },
    { subject_id, token, purpose: "vtr" as const },
    { subject_id, token, orgId: other.orgId },
    { subject_id, token, orgId: nobody },
    { subject_id, token, orgId: "../control" },
  ]) {
    const start = performance.now();
    expect(await seen(school, presented)).toBe(refused);
    expect(performance.now() - start).toBeGreaterThan(20);
  }
  expect(await seen(school, { subject_id, token, orgId })).toBe("seen");
});

test("createShareToken rejects a time in the past, a 101st token, and a session without a recent second factor", async () => {
  const school = await newOwnSchool();
  const { student, installation } = school;
  const body = ofCalendar(student.personId);
  const past = expectStatus(400, await student.post("/share-tokens", { ...body, expires_at: "2026-06-14T09:00:00Z" }));
  expect(past.body.issues).toMatchObject([{ path: "body.expires_at" }]);
  await create(student, { ...body, expires_at: "2026-06-14T10:00:00Z" });
  for (const _ of times(99, () => 0)) await create(student, body);
  const isFull = async (member: Member) =>
    expect(expectStatus(409, await member.post("/share-tokens", body)).body.error.reason).toBe("limit_reached");
  await isFull(student);
  installation.clock.advance(hours(1));
  const later = await student.signedInAgain();
  await create(later, body);
  await isFull(later);
  await enroll(installation, { token: later.token });
  installation.clock.advance(hours(1));
  const { access_token } = expectStatus(
    200,
    await installation.call("POST", "/auth/refresh", { body: { refresh_token: later.refreshToken } }),
  ).body;
  const answer = await installation.call("POST", `/orgs/${school.orgId}/share-tokens`, { token: access_token, body });
  expect(expectStatus(403, answer).body.error.reason).toBe("step_up_required");
});

test("an erased person's calendar is shared no more, and the export lists its tokens", async () => {
  const { owner } = await newSchool();
  const { id } = expectStatus(201, await owner.post("/people", { name: "Gone Soon", types: ["pilot"] })).body.data;
  const token = await create(owner, ofCalendar(id));
  const file = await owner.get(`/people/${id}/export`);
  expect(file.text).toContain(token.id);
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  expectStatus(404, await owner.get(`/share-tokens/${token.id}`));
});

test("a calendar is shared as long as the member who shared it may see it", async () => {
  const school = await newOwnSchool();
  const { owner, student, instructor, orgId, installation } = school;
  const feed = (subject_id: string, token: string) =>
    installation.call("GET", `/public/orgs/${orgId}/calendars/${subject_id}.ics?token=${token}`);
  const timed = async (subject_id: string, token: string) => {
    const start = performance.now();
    const { status } = await feed(subject_id, token);
    return [status, performance.now() - start > 20];
  };
  const whole = await create(instructor, ofCalendar(orgId));
  const ofInstructor = await create(instructor, ofCalendar(instructor.personId));
  const ofOwner = await create(owner, ofCalendar(student.personId));
  for (const { subject_id, token } of [whole, ofInstructor, ofOwner]) expectStatus(200, await feed(subject_id, token));

  // An instructor sees all calendars, a student their own.
  const roles = (roles: string[]) => owner.patch(`/members/${instructor.userId}`, { roles });
  expectStatus(200, await roles(["student"]));
  expect(await timed(orgId, whole.token)).toEqual([404, true]);
  expectStatus(200, await feed(instructor.personId, ofInstructor.token));
  expectStatus(200, await roles(["instructor"]));
  expectStatus(200, await feed(orgId, whole.token));
  expectStatus(200, await owner.delete(`/members/${instructor.userId}`));
  expect(await timed(orgId, whole.token)).toEqual([404, true]);
  expectStatus(200, await feed(student.personId, ofOwner.token));

  await suspend(school);
  const refused = expectStatus(403, await feed(student.personId, ofOwner.token));
  expect(refused.body.error.reason).toBe("organization_suspended");
});

test("share tokens are listed newest first, all and those for one person", async () => {
  const { student, installation } = await newOwnSchool();
  const made: string[] = [];
  for (const name of ["Phone", "Tablet", "Desk"]) {
    installation.clock.advance(1);
    made.unshift((await create(student, ofCalendar(student.personId, { name }))).id);
  }
  for (const query of ["", `?subject_id=${student.personId}`]) {
    const { data } = expectStatus(200, await student.get(`/share-tokens${query}`)).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(made);
  }
});
