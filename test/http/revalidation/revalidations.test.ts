/** Who lacks what for a revalidation until when: as a list, as one's own, and in mails in time. */
import { describe, expect, test } from "bun:test";
import { expectStatus, type Member, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { newMailingSchool } from "../notifications/mailing.ts";

const listed = async (by: Member, query = "") =>
  expectStatus(200, await by.get(`/compliance/revalidations?${query}`)).body.data;

const record = async ({ owner }: Pick<School, "owner">, body: object) =>
  expectStatus(201, await owner.post("/compliance/records", body));

/** A pilot with a rating SEP that is valid through August, on 14 June. */
async function newPilot(school: School, fields: object = {}): Promise<string> {
  const pilot = { name: "Paula Pilot", types: ["pilot"], ...fields };
  const { id } = expectStatus(201, await school.owner.post("/people", pilot)).body.data;
  await record(school, { person_id: id, type: "licence", level: "ppl", issued_on: "2020-05-01" });
  await record(school, { person_id: id, type: "sep", issued_on: "2024-08-20", valid_until: "2026-08-31" });
  return id;
}

/** Flies as PIC, some days ago. */
async function fly(school: School, person_id: string, { ago, minutes, landings }: Record<string, number>) {
  const end = school.installation.clock.now().getTime() - (ago ?? 0) * 86_400_000;
  const times = {
    off_block_at: new Date(end - (minutes ?? 0) * 60_000).toISOString(),
    on_block_at: new Date(end).toISOString(),
  };
  const body = { ...times, day_landings: landings, crew: [{ person_id, function: "pic" }] };
  const { id } = expectStatus(201, await school.owner.post("/flights", school.flightBody({ body }))).body.data;
  expectStatus(200, await school.owner.post(`/flights/${id}/submit`));
  const approved = await school.instructor.post(`/flights/${id}/approve`);
  expectStatus(200, approved);
  return id;
}

describe("GET /compliance/revalidations", () => {
  test("has what each person lacks by their approved flights, and members see their own", async () => {
    const school = await newSchool();
    const { owner, student, join } = school;
    const pilot = await newPilot(school);
    const flight = await fly(school, pilot, { ago: 10, minutes: 300, landings: 8 });
    await fly(school, pilot, { ago: 400, minutes: 600, landings: 9 });
    expectStatus(
      201,
      await owner.post("/flights", school.flightBody({ body: { crew: [{ person_id: pilot, function: "pic" }] } })),
    );
    const [item] = (await listed(owner, `person_id=${pilot}`))[0].items;
    expect(item).toMatchObject({
      ...{ kind: "sep", state: "missing", until: "2026-08-31", counts_from: "2025-08-31", how_many: 4 },
      source: { article: "FCL.740.A (b)" },
      missing: [
        { what: "flight_minutes", amount: 420 },
        { what: "pic_minutes", amount: 60 },
        { what: "landings", amount: 4 },
        { what: "refresher_minutes", amount: 60 },
      ],
    });
    expectStatus(200, await owner.post(`/flights/${flight}/reverse`, { reason: "Another pilot." }));
    expect((await listed(owner))[0].items[0].missing[0]).toEqual({ what: "flight_minutes", amount: 720, needed: 720 });
    // Nobody else holds anything that is revalidated.
    expect(await listed(owner)).toHaveLength(1);
    expect(await listed(student)).toEqual([]);
    await record(school, { person_id: student.personId, type: "licence", level: "lapl", issued_on: "2026-01-10" });
    expect(await listed(student)).toMatchObject([
      {
        person_id: student.personId,
        person_name: "Sam Student",
        items: [{ kind: "lapl_a", state: "missing", until: null }],
      },
    ]);
    expect(await listed(student, `person_id=${pilot}`)).toEqual([]);
    expect(await listed(owner)).toHaveLength(2);
    expectStatus(200, await owner.patch(`/people/${pilot}`, { status: "archived" }));
    expect(await listed(owner)).toHaveLength(1);
    expectStatus(403, await (await join(["accountant"])).get("/compliance/revalidations"));
  });
});

test("an instructor's first certificate is valid from its issue: what is taught in its first month counts (FCL.940.FI)", async () => {
  const school = await newSchool();
  const { owner, instructor, student } = school;
  const taught = async (day: string) => {
    const times = { off_block_at: `${day}T08:00:00Z`, on_block_at: `${day}T09:00:00Z` };
    const crew = [
      { person_id: instructor.personId, function: "instructor" },
      { person_id: student.personId, function: "dual" },
    ];
    const flight = school.flightBody({ body: { ...times, crew } });
    const { id } = expectStatus(201, await owner.post("/flights", flight)).body.data;
    expectStatus(200, await owner.post(`/flights/${id}/submit`));
    expectStatus(200, await owner.post(`/flights/${id}/approve`));
  };
  for (const day of ["2023-08-04", "2023-08-05", "2023-08-31"]) await taught(day);
  const fi = (issued_on: string, valid_until: string) =>
    record(school, { person_id: instructor.personId, type: "fi", issued_on, valid_until });
  const item = async () => (await listed(owner, `person_id=${instructor.personId}`))[0].items[0];
  await fi("2023-08-05", "2026-08-31");
  const minutes = (amount: number) => ({ what: "instruction_minutes", amount, needed: 3000 });
  expect(await item()).toMatchObject({
    counts_from: "2023-08-05",
    missing: expect.arrayContaining([minutes(2880)]),
  });
  // One that was revalidated goes on from the expiry before.
  await fi("2020-08-10", "2023-08-31");
  expect(await item()).toMatchObject({
    counts_from: "2023-08-31",
    missing: expect.arrayContaining([minutes(2940)]),
  });
});

describe("the mail", () => {
  const about = (mails: readonly { to: string; subject: string; text: string }[], address: string) =>
    mails.filter(({ to }) => to === address);

  test("goes out a month before it is too late to fly what is missing, once, and says what it is then", async () => {
    const school = await newMailingSchool();
    const { scheduler, clock, mails } = school.installation;
    const email = "paula@example.com";
    const pilot = await newPilot(school, { email, language: "de" });
    await fly(school, pilot, { ago: 10, minutes: 300, landings: 8 });
    const run = async () => {
      await scheduler.runNow("revalidation-notices");
      await scheduler.runNow("mail-sending");
    };
    mails.length = 0;
    // Seven hours take three weeks before 31 August, and a month before that is 10 July.
    clock.set("2026-07-08T10:00:00Z");
    await run();
    expect(about(mails, email)).toEqual([]);
    clock.set("2026-07-15T10:00:00Z");
    await run();
    const [mail, ...others] = about(mails, email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Ihre Klassenberechtigung SEP: Was bis 31. August 2026 noch fehlt");
    expect(mail?.text).toStartWith(
      "Ihre Klassenberechtigung SEP ist bis 31. August 2026 gültig. Für die Verlängerung durch Flugerfahrung (FCL.740.A (b)) fehlen bis dahin noch:\n\n- 7:00 Stunden Flugzeit\n- davon 1:00 Stunden als verantwortlicher Pilot (PIC)\n- 4 Starts und Landungen\n- 1:00 Stunden Übungsflug mit Fluglehrer\n\nSonst ist",
    );
    // Those who manage records are told, too, in their language.
    const managers = mails.filter(({ to }) => to !== email);
    expect(managers.map(({ subject }) => subject)).toContain(
      "Paula Pilot: class rating SEP: what is missing until 31 August 2026",
    );
    for (const { text } of managers) expect(text).toStartWith("The class rating SEP of Paula Pilot is valid until 31");
    mails.length = 0;
    clock.set("2026-07-22T10:00:00Z");
    await run();
    expect(mails).toEqual([]);
  });

  test("is sent once about the same day, however long that is ahead", async () => {
    const school = await newMailingSchool();
    const { instructor, installation } = school;
    const { scheduler, clock, mails } = installation;
    // Fifty hours take seventeen weeks: to begin with all of them it is too late already.
    const fi = { person_id: instructor.personId, type: "fi", issued_on: "2023-08-20", valid_until: "2026-08-31" };
    await record(school, fi);
    const toldOn = async (now: string) => {
      clock.set(now);
      await scheduler.runNow("revalidation-notices");
      await scheduler.runNow("mail-sending");
      return about(mails.splice(0), instructor.email).map(({ subject }) => subject);
    };
    expect(await toldOn("2026-06-14T10:00:00Z")).toEqual([
      "Your flight instructor certificate: what is missing until 31 August 2026",
    ]);
    expect(await toldOn("2026-08-20T10:00:00Z")).toEqual([]);
  });

  test("says until when the holder of an LAPL has the recent experience, to the holder and about them", async () => {
    const school = await newMailingSchool();
    const { owner, instructor, installation } = school;
    const { scheduler, clock, mails } = installation;
    const pilot = { name: "Leo Light", types: ["pilot"], email: "leo@example.com" };
    const { id } = expectStatus(201, await owner.post("/people", pilot)).body.data;
    await record(school, { person_id: id, type: "licence", level: "lapl", issued_on: "2020-05-01" });
    await fly(school, id, { ago: 400, minutes: 720, landings: 12 });
    const crew = [
      { person_id: id, function: "dual" },
      { person_id: instructor.personId, function: "instructor" },
    ];
    const dual = school.flightBody({ blockMinutes: 60, body: { crew } });
    const flight = expectStatus(201, await owner.post("/flights", dual)).body.data.id;
    expectStatus(200, await owner.post(`/flights/${flight}/submit`));
    expectStatus(200, await owner.post(`/flights/${flight}/approve`));
    mails.length = 0;
    // The twelve hours of 9 May 2025 count for two years. To fly them again takes four weeks.
    clock.set("2027-03-15T10:00:00Z");
    await scheduler.runNow("revalidation-notices");
    await scheduler.runNow("mail-sending");
    const has = "the recent experience for the LAPL(A) (FCL.140.A) until 9 May 2027. To fly on without a break";
    const [own] = about(mails, pilot.email);
    expect(own?.subject).toBe("Your LAPL(A): recent experience until 9 May 2027");
    expect(own?.text).toStartWith(`You have ${has}`);
    const [toOwner] = about(mails, owner.email);
    expect(toOwner?.subject).toBe("Leo Light: LAPL(A): recent experience until 9 May 2027");
    expect(toOwner?.text).toStartWith(`Leo Light has ${has}`);
  });

  test("is not sent about a rating that was made valid anew before it went out", async () => {
    const school = await newOwnSchool();
    const { scheduler, clock, mails } = school.installation;
    const pilot = await newPilot(school, { email: "paula@example.com" });
    clock.set("2026-07-15T10:00:00Z");
    expect(await scheduler.runNow("revalidation-notices")).toMatchObject({ outcome: "succeeded" });
    const owner = await school.owner.signedInAgain();
    await record({ owner }, { person_id: pilot, type: "sep", issued_on: "2026-07-15", valid_until: "2028-08-31" });
    mails.length = 0;
    await scheduler.runNow("mail-sending");
    expect(mails).toEqual([]);
  });

  test("is looked for at once if the next look was planned by a clock that was more than a day ahead", async () => {
    const school = await newOwnSchool();
    const { scheduler, clock } = school.installation;
    await newPilot(school);
    clock.set("2026-06-20T10:00:00Z");
    expect(await scheduler.runNow("revalidation-notices")).toMatchObject({ outcome: "succeeded" });
    // The next look is on 27 June, which begins at 22:00 in UTC.
    clock.set("2026-06-18T21:59:00.000Z");
    expect(await scheduler.runNow("revalidation-notices")).toMatchObject({ outcome: "idle" });
    clock.set("2026-06-18T21:58:59.999Z");
    expect(await scheduler.runNow("revalidation-notices")).toMatchObject({ outcome: "succeeded" });
  });

  test("is not sent to who has flown meanwhile, nor about a school that holds nothing", async () => {
    const school = await newOwnSchool();
    const { scheduler, clock, mails } = school.installation;
    expect(await scheduler.runNow("revalidation-notices")).toMatchObject({ outcome: "idle" });
    const pilot = await newPilot(school, { email: "paula@example.com" });
    clock.set("2026-07-15T10:00:00Z");
    expect(await scheduler.runNow("revalidation-notices")).toMatchObject({ outcome: "succeeded" });
    const later = {
      ...school,
      owner: await school.owner.signedInAgain(),
      instructor: await school.instructor.signedInAgain(),
    };
    await fly(later, pilot, { ago: 2, minutes: 720, landings: 12 });
    const dual = {
      crew: [
        { person_id: pilot, function: "dual" },
        { person_id: school.instructor.personId, function: "instructor" },
      ],
    };
    const { id } = expectStatus(201, await later.owner.post("/flights", school.flightBody({ body: dual }))).body.data;
    expectStatus(200, await later.owner.post(`/flights/${id}/submit`));
    expectStatus(200, await later.owner.post(`/flights/${id}/approve`));
    mails.length = 0;
    await scheduler.runNow("mail-sending");
    expect(mails).toEqual([]);
    // Within the week there is nothing to look through.
    clock.set("2026-07-20T10:00:00Z");
    expect(await scheduler.runNow("revalidation-notices")).toMatchObject({ outcome: "idle" });
  });
});
