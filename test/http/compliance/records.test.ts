/** Compliance records: what counts, who may see it, and what receivers are told. */
import { describe, expect, test } from "bun:test";
import { expectStatus, type Member, newSchool } from "../../support/school.ts";

const records = "/compliance/records";

async function add(by: Member, record: object) {
  return expectStatus(201, await by.post(records, record)).body.data;
}

const sep = (person_id: string, issued_on = "2025-03-14", valid_until = "2027-03-31") => ({
  person_id,
  type: "sep",
  issued_on,
  valid_until,
});
const medical = (person_id: string, level = "class_2") => ({
  ...{ person_id, level, type: "medical" },
  ...{ issued_on: "2025-03-14", valid_until: "2027-03-14" },
});

const idsFor = async (by: Member, query = ""): Promise<string[]> =>
  expectStatus(200, await by.get(`${records}${query}`))
    .body.data.map(({ id }: { id: string }) => id)
    .sort();

describe("a new record", () => {
  test("supersedes the current one of the same type and level, and both are in the event log", async () => {
    const { owner, student } = await newSchool();
    const first = await add(owner, sep(student.personId));
    const lapl = await add(owner, medical(student.personId, "lapl"));
    const class2 = await add(owner, medical(student.personId, "class_2"));
    const second = await add(owner, sep(student.personId, "2025-04-01"));

    expect((await owner.get(`${records}/${first.id}`)).body.data).toMatchObject({
      status: "superseded",
      superseded_by: second.id,
    });
    for (const { id } of [lapl, class2, second])
      expect((await owner.get(`${records}/${id}`)).body.data).toMatchObject({ status: "current", superseded_by: null });
    const log = expectStatus(200, await owner.get("/integrations/events?type=compliance.updated&order=asc"));
    const told = ({ data }: { data: { record: Record<string, unknown> } }) => [data.record.id, data.record.status];
    expect(log.body.data.map(told)).toEqual([
      [first.id, "current"],
      [lapl.id, "current"],
      [class2.id, "current"],
      [second.id, "current"],
      [first.id, "superseded"],
    ]);
  });

  test("that was issued before the current one is superseded at once", async () => {
    const { owner, student } = await newSchool();
    const present = await add(owner, sep(student.personId, "2025-03-14"));
    const old = await add(owner, sep(student.personId, "2023-03-14", "2025-03-31"));
    expect(old).toMatchObject({ status: "superseded", superseded_by: present.id });
    expect((await owner.get(`${records}/${present.id}`)).body.data.status).toBe("current");
  });

  test("replaces a record of another level, if told so", async () => {
    const { owner, student, instructor } = await newSchool();
    const elp = { person_id: student.personId, type: "elp", issued_on: "2024-01-01", valid_until: "2028-01-01" };
    const four = await add(owner, { ...elp, level: "4" });
    await add(owner, { ...elp, level: "6", supersedes: four.id });
    expect((await owner.get(`${records}/${four.id}`)).body.data.status).toBe("superseded");
    const again = await owner.post(records, { ...elp, level: "5", supersedes: four.id });
    expect(expectStatus(409, again).body.error.reason).toBe("wrong_status");
    const other = await owner.post(records, {
      ...elp,
      person_id: instructor.personId,
      level: "5",
      supersedes: four.id,
    });
    expect(expectStatus(409, other).body.error.reason).toBe("other_subject");
  });

  test.each([
    ["an unknown type", { type: "yoga" }, "type"],
    ["no person", { person_id: null }, "person_id"],
    ["an aircraft", { aircraft_id: "01890a5d-ac96-774b-bcce-b302099a8057" }, "aircraft_id"],
    ["an unknown person", { person_id: "01890a5d-ac96-774b-bcce-b302099a8057" }, "person_id"],
    ["a level that the type does not have", { level: "4" }, "level"],
    ["no level of a type with levels", { type: "elp" }, "level"],
    ["an expiry before the issue", { valid_until: "2025-03-13" }, "valid_until"],
    ["an issue after today", { issued_on: "2099-01-01", valid_until: null }, "issued_on"],
    ["remarks on a medical", { type: "medical", level: "lapl", remarks: "VDL" }, "remarks"],
    ["a medical without an expiry", { type: "medical", level: "lapl", valid_until: null }, "valid_until"],
    ["a class rating without an expiry", { valid_until: null }, "valid_until"],
    [
      "language proficiency of level 4 without an expiry",
      { type: "elp", level: "4", valid_until: null },
      "valid_until",
    ],
    ["the number of a medical", { type: "medical", level: "lapl", number: "1" }, "number"],
  ])("with %s is refused", async (_, change, path) => {
    const { owner, student } = await newSchool();
    const answer = expectStatus(400, await owner.post(records, { ...sep(student.personId), ...change }));
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(`body.${path}`);
    expect(await idsFor(owner)).toEqual([]);
  });
});

test("documents without an end need no expiry: a licence, a night rating, language proficiency of level 6", async () => {
  const { owner, student } = await newSchool();
  const issued = { person_id: student.personId, issued_on: "2025-03-14" };
  for (const type of [{ type: "licence", level: "ppl" }, { type: "night" }, { type: "elp", level: "6" }])
    expect(await add(owner, { ...issued, ...type })).toMatchObject({ valid_until: null });
});

test("a withdrawn record keeps its reason, and can't be withdrawn again", async () => {
  const { owner, student } = await newSchool();
  const { id } = await add(owner, sep(student.personId));
  const reason = "The authority suspended the rating.";
  const withdrawn = expectStatus(200, await owner.post(`${records}/${id}/withdraw`, { reason })).body.data;
  expect(withdrawn).toMatchObject({ status: "withdrawn", withdrawal_reason: reason });
  const again = await owner.post(`${records}/${id}/withdraw`, { reason });
  expect(expectStatus(409, again).body.error).toMatchObject({
    reason: "wrong_status",
    message: expect.stringContaining("withdrawn"),
  });
});

describe("records are seen", () => {
  test("by owner and instructor all, by a mechanic those of aircraft, by a student their own", async () => {
    const school = await newSchool();
    const { owner, student, instructor } = school;
    const mechanic = await school.join(["mechanic"]);
    const accountant = await school.join(["accountant"]);
    const aircraft_id = (await owner.get("/aircraft")).body.data[0].id;
    const own = await add(owner, medical(student.personId));
    const others = await add(owner, medical(instructor.personId));
    const arc = await add(mechanic, { aircraft_id, type: "arc", issued_on: "2025-03-14", valid_until: "2026-03-13" });

    expect(await idsFor(owner)).toEqual([arc.id, others.id, own.id].sort());
    expect(await idsFor(instructor)).toEqual([arc.id, others.id, own.id].sort());
    expect(await idsFor(mechanic)).toEqual([arc.id]);
    expect(await idsFor(student)).toEqual([own.id]);
    expectStatus(404, await student.get(`${records}/${others.id}`));
    expectStatus(404, await mechanic.get(`${records}/${own.id}`));
    expectStatus(403, await accountant.get(records));
    expectStatus(403, await mechanic.post(records, medical(student.personId)));
    expectStatus(403, await instructor.post(records, medical(student.personId)));
    // A mechanic may not even know that a person's record exists.
    expectStatus(404, await mechanic.post(`${records}/${own.id}/withdraw`, { reason: "No." }));
  });

  test("by filters, alone and combined", async () => {
    const { owner, student, instructor } = await newSchool();
    const old = await add(owner, sep(student.personId, "2023-03-14", "2025-03-31"));
    const present = await add(owner, sep(student.personId));
    const others = await add(owner, sep(instructor.personId));
    const own = await add(owner, medical(student.personId));
    const person = `person_id=${student.personId}`;
    expect(await idsFor(owner, `?${person}`)).toEqual([own.id, present.id, old.id].sort());
    expect(await idsFor(owner, `?${person}&type=sep&status=current`)).toEqual([present.id]);
    expect(await idsFor(owner, "?type=sep")).toEqual([others.id, present.id, old.id].sort());
    expect(await idsFor(owner, "?status=superseded")).toEqual([old.id]);
    expect(await idsFor(owner, "?type=medical&status=current")).toEqual([own.id]);
  });
});

describe("what a record states besides its own validity", () => {
  const faults = async (by: Member, record: object) =>
    expectStatus(400, await by.post(records, record)).body.issues.map(({ path, code }: Record<string, string>) => [
      path,
      code,
    ]);

  test("a medical states the last days for lower classes, each once", async () => {
    const { owner, student } = await newSchool();
    const class1 = medical(student.personId, "class_1");
    const states = (...other_levels: [string, string][]) => ({
      ...class1,
      other_levels: other_levels.map(([level, valid_until]) => ({ level, valid_until })),
    });
    const both = states(["class_2", "2030-03-14"], ["lapl", "2030-03-14"]);
    expect(await add(owner, both)).toMatchObject({ other_levels: both.other_levels, method: null });
    const [level, until] = ["body.other_levels.0.level", "body.other_levels.0.valid_until"];
    expect(await faults(owner, states(["class_1", "2030-03-14"]))).toEqual([[level, "unknown"]]);
    expect(await faults(owner, states(["class_2", "2025-03-13"]))).toEqual([[until, "out_of_order"]]);
    expect(await faults(owner, states(["lapl", "2030-03-14"], ["lapl", "2030-03-14"]))).toEqual([
      ["body.other_levels.1.level", "unknown"],
    ]);
    const { other_levels } = states(["lapl", "2030-03-14"]);
    expect(await faults(owner, { ...medical(student.personId, "lapl"), other_levels })).toEqual([[level, "unknown"]]);
    expect(await faults(owner, { ...sep(student.personId), other_levels })).toEqual([[level, "unknown"]]);
  });

  test("an ARC is extended twice in a row at most, and again after a review; a method fits the type", async () => {
    const { owner, student, aircraftId } = await newSchool();
    const arc = (issued_on: string, method: string | null) => ({
      ...{ aircraft_id: aircraftId, type: "arc", issued_on, valid_until: "2027-01-01", method },
    });
    await add(owner, arc("2022-01-01", "review"));
    await add(owner, arc("2023-01-01", "extension"));
    const second = await add(owner, arc("2024-01-01", "extension"));
    expect(second.method).toBe("extension");
    expect(await faults(owner, arc("2025-01-01", "extension"))).toEqual([["body.method", "impossible"]]);
    const withdrawn = { reason: "Typed twice.", entered_by_mistake: true };
    expectStatus(200, await owner.post(`${records}/${second.id}/withdraw`, withdrawn));
    await add(owner, arc("2025-01-01", "extension"));
    expect(await faults(owner, arc("2026-01-01", "extension"))).toEqual([["body.method", "impossible"]]);
    await add(owner, arc("2026-01-01", null));
    await add(owner, arc("2026-02-01", "extension"));
    expect(await faults(owner, { ...arc("2026-02-01", "check") })).toEqual([["body.method", "not_allowed"]]);
    expect(await faults(owner, { ...sep(student.personId), method: "extension" })).toEqual([
      ["body.method", "not_allowed"],
    ]);
    expect(await add(owner, { ...sep(student.personId), method: "experience" })).toMatchObject({
      method: "experience",
    });
    const examined = { ...medical(student.personId), method: "check" };
    expect(await faults(owner, examined)).toEqual([["body.method", "not_allowed"]]);
  });
});

describe("the suggested validity", () => {
  const suggested = (by: Member, query: string) => by.get(`/compliance/suggested-validity?${query}`);

  test("is the rule's, with its source", async () => {
    const { owner, student } = await newSchool();
    expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "1985-06-15" }));
    const medical = `type=medical&level=class_2&done_on=2025-06-14&person_id=${student.personId}`;
    expect(expectStatus(200, await suggested(owner, medical)).body.data).toEqual({
      ...{ valid_until: "2027-06-15", reason: null, other_levels: [{ level: "lapl", valid_until: "2027-06-15" }] },
      source: { article: "MED.A.045", regulation: "(EU) 2019/27", effective_from: "2019-01-30" },
    });
    const early = "type=sep&done_on=2025-03-15&previous_until=2026-02-28&method=experience";
    expect((await suggested(owner, early)).body.data.valid_until).toBe("2028-02-29");
    const level6 = await suggested(owner, "type=elp&level=6&done_on=2025-03-15");
    expect(level6.body.data.valid_until).toBeNull();
  });

  test("for a person is told only to members who manage the records of people", async () => {
    const school = await newSchool();
    const mechanic = await school.join(["mechanic"]);
    expectStatus(200, await suggested(mechanic, "type=arc&done_on=2025-06-14"));
    const medical = `type=medical&level=lapl&done_on=2025-06-14&person_id=${school.student.personId}`;
    expectStatus(403, await suggested(mechanic, medical));
  });

  test("of another type is its `validity_months`", async () => {
    const { owner } = await newSchool();
    const type = { key: "fire_extinguisher", name: "Fire extinguisher", subject: "aircraft", validity_months: 24 };
    expectStatus(201, await owner.post("/compliance/types", type));
    const answer = await suggested(owner, "type=fire_extinguisher&done_on=2024-02-29");
    expect(answer.body.data).toEqual({
      ...{ valid_until: "2026-02-28", reason: null, other_levels: [], source: null },
    });
  });

  test("of a medical asks for the holder, and says that the date of birth is not known", async () => {
    const { owner, student } = await newSchool();
    const query = "type=medical&level=class_1&done_on=2025-06-14";
    expect(expectStatus(400, await suggested(owner, query)).body.issues).toMatchObject([{ path: "query.person_id" }]);
    const suggestion = async () =>
      expectStatus(200, await suggested(owner, `${query}&person_id=${student.personId}`)).body.data;
    expect(await suggestion()).toMatchObject({ valid_until: null, reason: "date_of_birth_unknown", other_levels: [] });
    expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "1974-01-01" }));
    expect(await suggestion()).toMatchObject({
      ...{ valid_until: "2026-06-14", reason: null },
      other_levels: [
        { level: "class_2", valid_until: "2026-06-14" },
        { level: "lapl", valid_until: "2027-06-14" },
      ],
    });
  });

  test("by experience is for SEP and TMG, in the last 12 months of a valid rating; else it says why there is none", async () => {
    const { owner, student } = await newSchool();
    const flown = async (type: string, done_on: string, more = `&person_id=${student.personId}`) => {
      const answer = await suggested(owner, `type=${type}&method=experience&done_on=${done_on}${more}`);
      const { valid_until, reason } = expectStatus(200, answer).body.data;
      return valid_until ?? reason;
    };
    expect(await flown("sep", "2026-06-01")).toBe("not_held");
    expect(await flown("sep", "2026-06-01", "")).toBe("not_held");
    const { id } = await add(owner, sep(student.personId, "2025-03-14", "2027-03-31"));
    expect(await flown("sep", "2026-03-31")).toBe("2029-03-31");
    expect(await flown("sep", "2026-03-30")).toBe("too_early");
    expect(await flown("sep", "2027-03-31")).toBe("2029-03-31");
    expect(await flown("sep", "2027-04-01")).toBe("lapsed");
    expect(await flown("tmg", "2027-03-31")).toBe("not_held");
    expect(await flown("tmg", "2026-05-01", "&previous_until=2026-05-31")).toBe("2028-05-31");
    for (const type of ["mep", "ir", "fi"])
      expect(await flown(type, "2026-05-01", "&previous_until=2026-05-31")).toBe("not_by_this_method");
    expect(await flown("licence&level=ppl", "2026-05-01", "")).toBe("not_by_this_method");
    expectStatus(200, await owner.post(`${records}/${id}/withdraw`, { reason: "Suspended." }));
    expect(await flown("sep", "2027-03-31")).toBe("not_held");
  });

  test("of an ARC keeps the date by a review 90 days early, by an extension 30, and there are two extensions at most", async () => {
    const { owner, aircraftId } = await newSchool();
    const until = async (done_on: string, more: string) => {
      const answer = await suggested(owner, `type=arc&done_on=${done_on}&${more}`);
      const { valid_until, reason } = expectStatus(200, answer).body.data;
      return valid_until ?? reason;
    };
    const before = "previous_until=2026-06-30";
    expect(await until("2026-04-01", before)).toBe("2027-06-30");
    expect(await until("2026-03-31", before)).toBe("2027-03-31");
    const extended = `method=extension&aircraft_id=${aircraftId}`;
    expect(await until("2026-05-31", extended)).toBe("not_held");
    const arc = { aircraft_id: aircraftId, type: "arc" };
    await add(owner, { ...arc, issued_on: "2024-06-30", valid_until: "2025-06-30" });
    await add(owner, { ...arc, issued_on: "2025-06-15", valid_until: "2026-06-30", method: "extension" });
    expect(await until("2026-05-31", extended)).toBe("2027-06-30");
    expect(await until("2026-05-30", extended)).toBe("2027-05-30");
    expect(await until("2026-07-01", extended)).toBe("lapsed");
    await add(owner, { ...arc, issued_on: "2026-06-10", valid_until: "2027-06-30", method: "extension" });
    expect(await until("2027-06-15", extended)).toBe("too_many_in_a_row");
    expect(await until("2027-06-15", `${before}&aircraft_id=${aircraftId}`)).toBe("2028-06-15");
    const alone = await suggested(owner, `type=arc&method=extension&done_on=2026-06-15&${before}`);
    expect(expectStatus(400, alone).body.issues).toMatchObject([{ path: "query.aircraft_id", code: "required" }]);
    const nobody = "aircraft_id=01890a5d-ac96-774b-bcce-b302099a8057";
    const unknown = await suggested(owner, `type=arc&done_on=2026-06-15&${nobody}`);
    expect(expectStatus(400, unknown).body.issues).toMatchObject([{ path: "query.aircraft_id", code: "unknown" }]);
  });
});
