/** What an organization publishes in the directory, and when it ends. */
import { expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { disableAccount } from "../../../src/modules/accounts/operator/disable-account.ts";
import { appliedIntents } from "../../../src/storage/shared.tables.ts";
import { found, idsOf, newModerator, profilePath, publish } from "../../support/directory.ts";
import { csv, expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";

const alone = async () => newOwnSchool();

test("a profile is published field by field: what is not chosen does not leave the school", async () => {
  const { installation, owner, orgId } = await alone();
  const texts = { headline: "Learn to fly", phone: "+49 6103 12345", place: "EDFE", country: "de", languages: ["de"] };
  const change = { ...texts, latitude: "49.96", longitude: "-8.6458", fields: ["headline", "country", "kind"] };
  const drafted = expectStatus(200, await owner.patch("/directory/school", change)).body.data;
  expect(drafted).toMatchObject({ published: false, latitude: "49.960000", longitude: "-8.645800", country: "DE" });
  expect(await idsOf(installation, "schools")).toEqual([]);

  expectStatus(200, await owner.patch("/directory/school", { published: true }));
  const [entry] = await found(installation, "schools");
  expect(entry).toMatchObject({
    id: orgId,
    type: "schools",
    organization: { id: orgId },
    headline: "Learn to fly",
    country: "DE",
    kind: "ato",
    phone: null,
    place: null,
    latitude: null,
    languages: null,
    featured: false,
  });
  expect(await idsOf(installation, "schools", "?q=6103")).toEqual([]);
  const one = await installation.call("GET", `/public/directory/schools/${orgId}`);
  expect(expectStatus(200, one).body.data).toEqual(entry);
  expectStatus(404, await installation.call("GET", `/public/directory/aircraft/${orgId}`));

  await publish(owner, "schools", orgId, { fields: ["coordinates"] });
  expect((await found(installation, "schools"))[0]).toMatchObject({
    headline: null,
    latitude: "49.960000",
    longitude: "-8.645800",
  });
  const removed = expectStatus(200, await owner.delete("/directory/school")).body.data;
  expect(removed.published).toBe(true);
  expect(await idsOf(installation, "schools")).toEqual([]);
  expectStatus(404, await owner.get("/directory/school"));
});

test("coordinates come in pairs, a field must be one of the type, and a link must be https", async () => {
  const { owner, aircraftId } = await newSchool();
  const refusals: [object, string][] = [
    [{ latitude: "50.1" }, "body.longitude"],
    [{ latitude: "90.1", longitude: "8" }, "body.latitude"],
    [{ latitude: 50, longitude: 8 }, "body.latitude"],
    [{ fields: ["ratings"] }, "body.fields.0"],
    [{ fields: ["place", "place"] }, "body.fields"],
    [{ website: "javascript:alert(1)" }, "body.website"],
    [{ languages: ["german"] }, "body.languages.0"],
    [{}, "body"],
  ];
  for (const [change, path] of refusals) {
    const { issues } = expectStatus(400, await owner.patch(`/directory/aircraft/${aircraftId}`, change)).body;
    expect(issues[0].path).toBe(path);
  }
  const path = profilePath("aircraft", aircraftId);
  expectStatus(404, await owner.get(path));
  expectStatus(200, await owner.patch(path, { latitude: "50.1", longitude: "8" }));
  expectStatus(200, await owner.patch(path, { latitude: "50.2" }));
  expectStatus(400, await owner.patch(path, { latitude: null }));
});

test("an instructor with an account consents first, again to further fields, and can withdraw at any time", async () => {
  const { installation, owner, instructor, student } = await alone();
  const id = instructor.personId;
  const path = profilePath("instructors", id);
  expectStatus(404, await instructor.get(path));
  expect(await publish(owner, "instructors", id, { fields: ["ratings"] })).toMatchObject({ consent: "missing" });
  expect(await idsOf(installation, "instructors")).toEqual([]);
  // Nobody else consents for them.
  expectStatus(404, await owner.post(`${path}/consent`));

  const given = expectStatus(200, await instructor.post(`${path}/consent`)).body.data;
  expect(given).toMatchObject({ consent: "given", consented_at: "2026-06-14T09:00:00.000Z" });
  expect(await idsOf(installation, "instructors")).toEqual([id]);
  // Other members do not read what may never be published.
  expect(expectStatus(200, await instructor.get(path)).body.data).toEqual(given);
  expectStatus(404, await student.get(path));
  expectStatus(200, await owner.patch(path, { fields: ["ratings", "phone"], phone: "+49 1" }));
  expect(await idsOf(installation, "instructors")).toEqual([]);
  expectStatus(200, await instructor.post(`${path}/consent`));
  // Fewer fields need none.
  expectStatus(200, await owner.patch(path, { fields: ["phone"] }));
  expect((await found(installation, "instructors"))[0]).toMatchObject({ phone: "+49 1", ratings: null });

  expect(expectStatus(200, await instructor.delete(`${path}/consent`)).body.data).toMatchObject({
    consent: "missing",
    consented_at: null,
  });
  expect(await idsOf(installation, "instructors")).toEqual([]);
});

test("a consent covers the texts that the instructor saw: another text needs it anew", async () => {
  const { installation, owner, instructor } = await alone();
  const id = instructor.personId;
  const path = profilePath("instructors", id);
  const fields = ["headline", "phone", "languages", "coordinates", "ratings"];
  const texts = { headline: "Hello", phone: "+49 1", description: "Not published.", languages: ["de"] };
  await publish(owner, "instructors", id, { ...texts, fields, latitude: "49.96", longitude: "8.64" });
  const asksAnew = async (change: object) => {
    expectStatus(200, await instructor.post(`${path}/consent`));
    expect(await idsOf(installation, "instructors")).toEqual([id]);
    const { consent } = expectStatus(200, await owner.patch(path, change)).body.data;
    expect(await idsOf(installation, "instructors")).toEqual(consent === "given" ? [id] : []);
    return consent === "missing";
  };

  for (const change of [
    { phone: "+49 2" },
    { languages: ["de", "fr"] },
    { latitude: "49.97", longitude: "8.64" },
    { fields: [...fields, "description"] },
  ])
    expect([change, await asksAnew(change)]).toEqual([change, true]);
  // The same again, less, and what is not published.
  for (const change of [{ phone: "+49 2", fields }, { phone: null }, { languages: [] }, { description: "Secret." }])
    expect([change, await asksAnew(change)]).toEqual([change, false]);
  // An instructor who manages the directory writes their own texts.
  expectStatus(200, await owner.patch(`/members/${instructor.userId}`, { roles: ["instructor", "admin"] }));
  expectStatus(200, await instructor.patch(path, { headline: "Hello again", fields: [...fields, "description"] }));
  expect(await found(installation, "instructors")).toMatchObject([{ id, headline: "Hello again" }]);
});

test("a school that unlinks an instructor's account does not get around the consent", async () => {
  const { installation, owner, instructor } = await alone();
  const id = instructor.personId;
  const path = profilePath("instructors", id);
  const link = async (user_id: string | null) => expectStatus(200, await owner.patch(`/people/${id}`, { user_id }));
  await publish(owner, "instructors", id);
  await link(null);
  expect(expectStatus(200, await owner.get(path)).body.data).toMatchObject({ consent: "missing" });
  expect(await publish(owner, "instructors", id, { headline: "Hello" })).toMatchObject({ consent: "missing" });
  expect(await idsOf(installation, "instructors")).toEqual([]);

  await link(instructor.userId);
  expectStatus(200, await instructor.post(`${path}/consent`));
  expect(await idsOf(installation, "instructors")).toEqual([id]);
  // Nor does the entry stay when nobody can withdraw the consent any more.
  await link(null);
  expect(await idsOf(installation, "instructors")).toEqual([]);
});

test("an entry follows its person, and ends with them: archived, no instructor, linked to an account", async () => {
  const { installation, owner } = await alone();
  const added = await owner.post("/people", { name: "Fritz Flieger", types: ["instructor"], ratings: ["SEP", "FI"] });
  const { id } = expectStatus(201, added).body.data;
  expect(await publish(owner, "instructors", id, { fields: ["ratings"] })).toMatchObject({ consent: "not_needed" });
  const change = async (body: object) => expectStatus(200, await owner.patch(`/people/${id}`, body));

  // A former address was no account.
  for (const email of ["fritz@old.example", "fritz@new.example"]) await change({ email });
  await change({ name: "Fritz Fluglehrer", ratings: ["SEP", "FI", "IR"] });
  expect(await found(installation, "instructors", "?q=fluglehrer&rating=ir")).toMatchObject([
    { id, name: "Fritz Fluglehrer", ratings: ["SEP", "FI", "IR"] },
  ]);
  const table = csv(`id,name\n${id},Fritz Import\n`);
  expectStatus(200, await owner.call("POST", `/orgs/${owner.orgId}/people/import`, { body: table }));
  expect(await found(installation, "instructors")).toMatchObject([{ name: "Fritz Import" }]);
  await change({ status: "archived" });
  expect(await idsOf(installation, "instructors")).toEqual([]);
  await change({ status: "active" });
  expect(await idsOf(installation, "instructors")).toEqual([id]);
  await change({ types: ["pilot"] });
  expect(await idsOf(installation, "instructors")).toEqual([]);
  await change({ types: ["instructor", "student"] });
  expect(await idsOf(installation, "instructors")).toEqual([id]);
  const invite = await owner.post("/student-invites", { person_id: id, email: "fritz@claim.example" });
  const claim = { token: expectStatus(201, invite).body.data.token, password: "correct horse battery" };
  expectStatus(200, await installation.call("POST", "/auth/student-invites/claim", { body: claim }));
  expect(await idsOf(installation, "instructors")).toEqual([]);
});

test("a change of what is not published does not change the entry, nor its time", async () => {
  const { installation, owner, aircraftId } = await alone();
  const added = await owner.post("/people", { name: "Fritz Flieger", types: ["instructor"], ratings: ["FI"] });
  const { id } = expectStatus(201, added).body.data;
  const lists = () => Promise.all([found(installation, "instructors"), found(installation, "aircraft")]);
  await publish(owner, "instructors", id, { fields: ["languages"], languages: ["de"] });
  await publish(owner, "aircraft", aircraftId, { fields: ["class"], description: "In the hangar." });
  const before = await lists();
  installation.clock.advance(60_000);
  expectStatus(200, await owner.patch(`/people/${id}`, { phone: "+49 6103 1", ratings: ["FI", "IR"] }));
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { hourly_rate_minor: 9900 }));
  expectStatus(200, await owner.patch(profilePath("aircraft", aircraftId), { description: "Outside." }));
  expect(await lists()).toEqual(before);
  expectStatus(200, await owner.patch(profilePath("instructors", id), { languages: ["en"] }));
  expect((await lists())[0]).toMatchObject([{ languages: ["en"], updated_at: "2026-06-14T09:01:00.000Z" }]);
});

test("an aircraft's entry follows the aircraft and ends when it is archived; its price leaves only if it is chosen", async () => {
  const { installation, owner, aircraftId } = await alone();
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { hourly_rate_minor: 22_500 }));
  await publish(owner, "aircraft", aircraftId, { fields: ["registration", "class"] });
  expect(await found(installation, "aircraft")).toMatchObject([
    { name: "Cessna 172S", registration: "D-EABC", class: "SEP", hourly_rate_minor: null, currency: null },
  ]);
  await publish(owner, "aircraft", aircraftId, { fields: ["hourly_rate"] });
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { model: "Cessna 172R" }));
  expect(await found(installation, "aircraft")).toMatchObject([
    { name: "Cessna 172R", registration: null, hourly_rate_minor: 22_500, currency: "EUR" },
  ]);
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { status: "archived" }));
  expect(await idsOf(installation, "aircraft")).toEqual([]);
});

test("a school's entry has its new name and approval, and ends when nobody can manage the organization", async () => {
  const { installation, owner, orgId } = await alone();
  await publish(owner, "schools", orgId, { fields: ["approval_number"] });
  expectStatus(200, await owner.patch("", { name: "Flugschule Neu" }));
  expectStatus(200, await owner.patch("", { approval_number: "DE.ATO.9" }));
  expect(await found(installation, "schools")).toMatchObject([{ name: "Flugschule Neu", approval_number: "DE.ATO.9" }]);
  const { storage, clock } = installation;
  const operator = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;
  await disableAccount(operator, { email: owner.email });
  expect(await idsOf(installation, "schools")).toEqual([]);
  expectStatus(404, await installation.call("GET", `/public/directory/schools/${orgId}`));
});

test("a member who leaves is no longer in the directory, also after the profile is changed", async () => {
  const { installation, owner, instructor, join } = await alone();
  const id = instructor.personId;
  const other = await join(["instructor"], "Otto Other");
  for (const member of [instructor, other]) {
    await publish(owner, "instructors", member.personId);
    expectStatus(200, await member.post(`${profilePath("instructors", member.personId)}/consent`));
  }
  expect(await idsOf(installation, "instructors")).toEqual([id, other.personId]);
  expectStatus(200, await owner.delete(`/members/${instructor.userId}`));
  expect(await idsOf(installation, "instructors")).toEqual([other.personId]);
  const profile = await publish(owner, "instructors", id, { headline: "Hello" });
  expect(profile).toMatchObject({ consent: "missing" });
  expect(await publish(owner, "instructors", other.personId)).toMatchObject({ consent: "given" });
  expect(await idsOf(installation, "instructors")).toEqual([other.personId]);
  const log = expectStatus(200, await owner.get(`/audit-log?subject_id=${profile.id}`)).body.data;
  expect(log.map(({ action }: { action: string }) => action)).toContain("directory_profile.consent_ended");
});

test("the export of a person has their profile, and the erasure ends it, also if a moderator changed the entry", async () => {
  const { installation, owner } = await alone();
  const { token } = await newModerator(installation);
  const person = await owner.post("/people", { name: "Fritz Flieger", types: ["instructor"] });
  const { id } = expectStatus(201, person).body.data;
  const path = profilePath("instructors", id);
  await publish(owner, "instructors", id, { headline: "Hello" });
  const url = `http://localhost/orgs/${owner.orgId}/people/${id}/export`;
  const headers = { authorization: `Bearer ${owner.token}` };
  const exported = await (await installation.app.fetch(new Request(url, { headers }))).arrayBuffer();
  const { "person.json": json } = unzipSync(new Uint8Array(exported));
  expect(JSON.parse(Buffer.from(json ?? []).toString()).directory_profiles).toMatchObject([{ headline: "Hello" }]);
  const moderated = { token, body: { featured: true } };
  expectStatus(200, await installation.call("PATCH", `/admin/directory/instructors/${id}`, moderated));

  expectStatus(200, await owner.post(`/people/${id}/erase`));

  expectStatus(404, await owner.get(path));
  expectStatus(404, await owner.patch(path, { published: true }));
  expect(await idsOf(installation, "instructors")).toEqual([]);
  expectStatus(404, await installation.call("PATCH", `/admin/directory/instructors/${id}`, moderated));
});

test("a change of what has no profile leaves no intent", async () => {
  const { installation, owner, instructor, aircraftId } = await alone();
  const applied = () => installation.storage.control.read((reader) => reader.$count(appliedIntents));
  const before = await applied();
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { ratings: ["FI", "IR"] }));
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { hourly_rate_minor: 9900 }));
  expect(await applied()).toBe(before);
  await publish(owner, "aircraft", aircraftId);
  expect(await applied()).toBe(before + 1);
});

test("only people who instruct have a profile", async () => {
  const { owner, student } = await newSchool();
  expectStatus(404, await owner.patch(profilePath("instructors", student.personId), { published: true }));
});

test("another organization reads and changes no profile, whatever id it names", async () => {
  const { installation, owner, instructor, aircraftId, orgId } = await newSchool();
  await publish(owner, "instructors", instructor.personId);
  await publish(owner, "aircraft", aircraftId);
  await publish(owner, "schools", orgId);
  const other = await newSchool();
  for (const [type, id] of [
    ["instructors", instructor.personId],
    ["aircraft", aircraftId],
  ] as const) {
    const path = profilePath(type, id);
    expectStatus(404, await other.owner.get(path));
    expectStatus(404, await other.owner.patch(path, { published: false }));
    expectStatus(404, await other.owner.delete(path));
    const { token } = other.owner;
    expectStatus(404, await installation.call("GET", `/orgs/${orgId}${path}`, { token }));
    expectStatus(200, await owner.get(path));
  }
});
