/** The search over the records of all kinds. */
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { isId, newId } from "../../../src/core/ids.ts";
import { insertMembership } from "../../../src/modules/organizations/insert-membership.ts";
import { programWords } from "../../../src/modules/training/programs/programs.queries.ts";
import { trainingPrograms } from "../../../src/modules/training/training.tables.ts";
import { keepWords } from "../../../src/storage/search-words.ts";
import { type Answer, type Installation, newInstallation } from "../../support/installation.ts";
import { approvedListing, publishedOpportunity } from "../../support/market.ts";
import { findings, release } from "../../support/release.ts";
import { expectStatus, type Member, newOwnSchool, newSchool, type School, times } from "../../support/school.ts";

interface Found {
  kind: string;
  id: string;
  title: string;
  status?: string;
}

const ask = (by: Member, q: string): Promise<Answer> => by.get(`/search?q=${encodeURIComponent(q)}`);

const search = async (by: Member, q: string): Promise<Found[]> => expectStatus(200, await ask(by, q)).body.data;

const titles = async (by: Member, q: string, kind?: string): Promise<string[]> =>
  (await search(by, q)).filter((one) => kind === undefined || one.kind === kind).map(({ title }) => title);

/** All that are kept, of the school and of all schools. */
async function wordsOf({ storage }: Installation, orgId: string): Promise<string[]> {
  if (!isId<"organization">(orgId)) throw new Error("It is an id.");
  const rows = [storage.control, storage.tenants.tenant(orgId)].map((database) =>
    database.read((reader) => reader.values<[string]>(sql`select word from search_words`)),
  );
  return (await Promise.all(rows)).flat(2);
}

const addPerson = async ({ owner }: School, name: string, more: object = {}): Promise<string> =>
  expectStatus(201, await owner.post("/people", { name, types: ["pilot"], ...more })).body.data.id;

const addAircraft = async ({ owner }: School, registration: string, more: object = {}): Promise<string> => {
  const counters = { hobbs: "0.00", tacho: "0.00", airframe_minutes: 0 };
  const body = { registration, model: "Piper PA-28", icao_type: "P28A", class: "SEP", ...counters, ...more };
  return expectStatus(201, await owner.post("/aircraft", body)).body.data.id;
};

test("a word or its beginning finds people, without accents and case, by any of their words", async () => {
  const school = await newSchool();
  for (const name of ["Łukasz Żółć", "Sam Weber", "Åse Ødegård", "Jörg Weiß", "Anna-Lena O'Brien", "Ada Zuse"])
    await addPerson(school, name);
  const { owner } = school;
  expect(await titles(owner, "luk")).toEqual(["Łukasz Żółć"]);
  expect(await titles(owner, "ZOLC")).toEqual(["Łukasz Żółć"]);
  expect(await titles(owner, "Łu")).toEqual(["Łukasz Żółć"]);
  expect(await titles(owner, "Weber")).toEqual(["Sam Weber"]);
  expect(await titles(owner, "ase od")).toEqual(["Åse Ødegård"]);
  expect(await titles(owner, "WEISS")).toEqual(["Jörg Weiß"]);
  expect(await titles(owner, "jorg")).toEqual(["Jörg Weiß"]);
  // Without an umlaut on the keyboard.
  expect(await titles(owner, "joerg")).toEqual(["Jörg Weiß"]);
  expect(await titles(owner, "annalena")).toEqual(["Anna-Lena O'Brien"]);
  expect(await titles(owner, "obri")).toEqual(["Anna-Lena O'Brien"]);
  expect(await titles(owner, "anna brien")).toEqual(["Anna-Lena O'Brien"]);
  expect(await titles(owner, "use")).toEqual([]);
});

test("several words must all be in one record, in any order", async () => {
  const school = await newSchool();
  for (const name of ["Sam Weber", "Samuel Berg", "Karl Weber"]) await addPerson(school, name);
  const { owner } = school;
  expect(await titles(owner, "weber sam")).toEqual(["Sam Weber"]);
  expect(await titles(owner, "sam web")).toEqual(["Sam Weber"]);
  expect(await titles(owner, "berg weber")).toEqual([]);
  expect((await titles(owner, "weber weber")).sort()).toEqual(["Karl Weber", "Sam Weber"]);
});

test("an e-mail address finds its person and member; what all addresses end in finds nobody", async () => {
  const school = await newSchool();
  await addPerson(school, "Ute Hahn", { email: "office@club.example" });
  const { owner } = school;
  for (const q of ["office", "office@", "OFFICE@club.ex", "office@club.example"])
    expect(await titles(owner, q)).toEqual(["Ute Hahn"]);
  await addPerson(school, "Jo Rau", { email: "flight.desk@club.example" });
  expect(await titles(owner, "desk")).toEqual(["Jo Rau"]);
  expect(await titles(owner, "club")).toEqual([]);
  const [address = ""] = owner.email.split("@");
  const found = await search(owner, owner.email);
  expect(found.map(({ kind, title }) => [kind, title])).toEqual([
    ["person", "Olga Owner"],
    ["member", "Olga Owner"],
  ]);
  expect(await search(owner, address)).toEqual(found);
});

test("whole words come before beginnings, then the alphabet decides, then the newest; what is archived comes last", async () => {
  const school = await newOwnSchool();
  const gone = await addPerson(school, "Karl Berg");
  for (const name of ["Nina Bergmann", "Ina Berg", "Omar Berger", "Udo Berg"]) {
    school.installation.clock.advance(1);
    await addPerson(school, name);
  }
  const { owner } = school;
  expectStatus(200, await owner.patch(`/people/${gone}`, { status: "archived" }));
  const found = await search(owner, "berg");
  expect(found.map(({ title, status }) => [title, status])).toEqual([
    ["Udo Berg", "active"],
    ["Ina Berg", "active"],
    ["Omar Berger", "active"],
    ["Nina Bergmann", "active"],
    ["Karl Berg", "archived"],
  ]);
  // Of several words, those come first in which more are whole, then the word that fewest have decides.
  for (const name of ["Berg Uwe", "Berger U", "Berger Ua", "Berg U"]) await addPerson(school, name);
  expect(await titles(owner, "u berg")).toEqual(["Berg U", "Berger U", "Udo Berg", "Berg Uwe", "Berger Ua"]);
  expectStatus(200, await owner.patch(`/people/${gone}`, { status: "active" }));
  expect(await titles(owner, "karl")).toEqual(["Karl Berg"]);
});

test("the 8 best of a kind are found, archived ones only if there is room", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  const ids: string[] = [];
  for (const letter of "abcdefghij") {
    installation.clock.advance(1);
    ids.push(await addPerson(school, `Quirin ${letter}`));
  }
  expect((await search(owner, "quir")).map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 8));
  for (const id of ids.slice(0, 3)) expectStatus(200, await owner.patch(`/people/${id}`, { status: "archived" }));
  const found = await search(owner, "quirin");
  expect(found.map(({ status }) => status)).toEqual([...times(7, () => "active"), "archived"]);
});

test("what has each word as a whole comes before other kinds, which are in their order", async () => {
  const school = await newSchool();
  await addPerson(school, "Eabcdef Berg");
  await school.draftFlight(school.student);
  const kinds = (await search(school.owner, "eabc")).map(({ kind }) => kind);
  expect(kinds).toEqual(["aircraft", "person", "flight"]);
});

describe("each kind", () => {
  test("aircraft by registration with and without the dash, by model and by type, each with its fields", async () => {
    const school = await newSchool();
    const id = await addAircraft(school, "D-EFGH");
    const { owner } = school;
    const row = { kind: "aircraft", id, title: "D-EFGH", status: "available", model: "Piper PA-28", icao_type: "P28A" };
    for (const q of ["efgh", "D-EFGH", "defgh", "Piper", "p28a", "pa28", "efgh piper"])
      expect(await search(owner, q)).toEqual([row]);
    expectStatus(200, await owner.patch(`/aircraft/${id}`, { registration: "OE-KLM", model: "Piper PA-28" }));
    expect(await titles(owner, "efgh")).toEqual([]);
    expect(await titles(owner, "oeklm")).toEqual(["OE-KLM"]);
    expectStatus(200, await owner.patch(`/aircraft/${id}`, { status: "archived" }));
    expect(await search(owner, "klm")).toMatchObject([{ id, status: "archived" }]);
  });

  test("flights by registration and day, as German or ISO writes it, where the school is", async () => {
    const school = await newOwnSchool();
    const { owner, student } = school;
    const other = await addAircraft(school, "D-EFGH");
    const fly = async (off_block_at: string, aircraft_id = school.aircraftId) => {
      const on_block_at = new Date(Date.parse(off_block_at) + 30 * 60_000).toISOString();
      const crew = [{ person_id: student.personId, function: "solo" }];
      const body = { off_block_at, on_block_at, aircraft_id, crew };
      return (await school.draftFlight(student, { body })).id;
    };
    // In Berlin, the day begins at 22:00 UTC.
    const before = await fly("2026-05-14T21:59:00.000Z");
    const first = await fly("2026-05-14T22:00:00.000Z");
    const last = await fly("2026-05-15T21:59:00.000Z");
    const theirs = await fly("2026-05-15T10:00:00.000Z", other);
    const after = await fly("2026-05-15T22:00:00.000Z");
    const ids = async (q: string, by = owner) =>
      (await search(by, q)).flatMap(({ kind, id }) => (kind === "flight" ? [id] : []));
    for (const day of ["2026-05-15", "15.05.2026", "15.5.2026", "15.5.26"]) {
      expect(await ids(day)).toEqual([last, theirs, first]);
      expect(await ids(`D-EABC ${day}`)).toEqual([last, first]);
      expect(await ids(`${day}, eabc`)).toEqual([last, first]);
      expect(await ids(`${day} xyz`)).toEqual([]);
      expect(await ids(day, student)).toEqual([last, theirs, first]);
      expect(await ids(`${day} efgh`, student)).toEqual([theirs]);
    }
    expect(await ids("15.05.2026 16.05.2026")).toEqual([]);
    expect(await ids("2026-05-32")).toEqual([]);
    // With the day, the flights are what was meant: they come before an order that has all the words, too.
    const title = "Nachprüfung 15.05.2026";
    expectStatus(
      201,
      await owner.post("/maintenance/work-orders", { aircraft_id: school.aircraftId, title, findings }),
    );
    const kinds = async (q: string) => (await search(owner, q)).map(({ kind }) => kind);
    expect(await kinds("eabc 15.05.2026")).toEqual(["flight", "flight", "work_order"]);
    // And the order before those whose registration only begins so.
    expect(await kinds("nachpr 15.05.2026")).toEqual(["work_order"]);
    expect(await ids("eabc")).toEqual([after, last, first, before]);
    expect(await ids("eabc", student)).toEqual([after, last, first, before]);
    const [found] = await search(owner, "efgh 15.05.2026");
    expect(found).toEqual({
      ...{ kind: "flight", id: theirs, title: "D-EFGH", status: "draft", departure: "EDFE", arrival: "EDKB" },
      off_block_at: "2026-05-15T10:00:00.000Z",
      crew: [
        { person_id: student.personId, name: "Sam Student", function: "solo", day_landings: 1, night_landings: 0 },
      ],
    } as Found);
  });

  test("the newest flights of a fleet are those of all aircraft together", async () => {
    const school = await newSchool();
    const other = await addAircraft(school, "D-EFGH");
    const ids = [];
    for (const at of times(12, (n) => n)) {
      const body = { aircraft_id: at % 3 === 0 ? other : school.aircraftId };
      ids.push((await school.draftFlight(school.student, { body })).id);
    }
    // Each ended before the one drafted before it.
    const found = await search(school.owner, "d-e");
    expect(found.flatMap(({ kind, id }) => (kind === "flight" ? [id] : []))).toEqual(ids.slice(0, 8));
  });

  test("work orders by title and registration, done ones last, also after a new registration", async () => {
    const school = await newSchool();
    const { owner, aircraftId } = school;
    const order = async (title: string) =>
      expectStatus(201, await owner.post("/maintenance/work-orders", { aircraft_id: aircraftId, title, findings })).body
        .data.id;
    const done = await order("Ölwechsel");
    const id = await order("Ölwechsel und Filter");
    expectStatus(200, await owner.post(`/maintenance/work-orders/${done}/start`));
    expectStatus(200, await owner.post(`/maintenance/work-orders/${done}/complete`, { ...release, on: "2026-06-14" }));
    const found = (await search(owner, "oelwechsel eabc")).filter(({ kind }) => kind === "work_order");
    expect(found.map((one) => [one.id, one.status])).toEqual([
      [id, "open"],
      [done, "done"],
    ]);
    expect(found[0]).toMatchObject({ title: "Ölwechsel und Filter", aircraft_id: aircraftId, registration: "D-EABC" });
    expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { registration: "D-EXYZ" }));
    expect(await titles(owner, "filt exyz")).toEqual(["Ölwechsel und Filter"]);
    expect(await titles(owner, "filter eabc")).toEqual([]);
    expectStatus(200, await owner.patch(`/maintenance/work-orders/${id}`, { title: "Zündkerzen" }));
    expect(await titles(owner, "filter")).toEqual([]);
    expect(await titles(owner, "zund")).toEqual(["Zündkerzen"]);
  });

  test("training programs by name, until they are removed", async () => {
    const { owner, student, installation, orgId } = await newOwnSchool();
    const body = { kind: "ppl_a", name: "PPL(A) Wochenende" };
    const { id } = expectStatus(201, await owner.post("/training/programs", body)).body.data;
    const row: object = { kind: "program", id, title: "PPL(A) Wochenende", program_kind: "ppl_a" };
    for (const by of [owner, student]) expect(await search(by, "wochen ppl")).toEqual([row as Found]);
    expectStatus(200, await owner.delete(`/training/programs/${id}`));
    expect(await search(owner, "wochen")).toEqual([]);
    expect(await wordsOf(installation, orgId)).not.toContain("wochenende");
  });

  test("members by name, until they leave", async () => {
    const school = await newOwnSchool();
    const { installation } = school;
    const { owner } = school;
    const member = await school.join(["mechanic"], "Mia Mechanic");
    const found = (await search(owner, "mia")).filter(({ kind }) => kind === "member");
    const row: object = {
      ...{ kind: "member", id: member.userId, title: "Mia Mechanic" },
      ...{ email: member.email, roles: ["mechanic"] },
    };
    expect(found).toEqual([row as Found]);
    expectStatus(200, await owner.delete(`/members/${member.userId}`));
    expect(await titles(owner, "mia", "member")).toEqual([]);
    const ofMember = await installation.storage.control.read((reader) =>
      reader.values(sql`select word from search_words where record = ${member.userId}`),
    );
    expect(ofMember).toEqual([]);
    // Of this school only.
    const other = await newSchool(installation);
    expect(await titles(other.owner, "olga", "member")).toEqual(["Olga Owner"]);
    // An account of two schools is one member in each.
    if (!isId<"organization">(other.orgId) || !isId<"user">(owner.userId)) throw new Error("They are ids.");
    const joined = { orgId: other.orgId, userId: owner.userId, roles: ["mechanic"] } as const;
    const by = { actor: { kind: "command_line" }, requestId: "" } as const;
    await installation.storage.control.write((tx) => insertMembership(tx, by, joined));
    expect(await titles(owner, owner.email, "member")).toEqual(["Olga Owner"]);
    expect(await titles(other.owner, owner.email, "member")).toEqual(["Olga Owner"]);
  });
});

test("no wildcard and no syntax reaches the database", async () => {
  const school = await newSchool();
  await addPerson(school, "Sam 100% Weber");
  const { owner } = school;
  expect(await titles(owner, "100%")).toEqual(["Sam 100% Weber"]);
  for (const q of ["w%r", "w_ber", "*ber", 'weber" OR "olga', "web*er", "NOT weber", "weber OR olga", "' or 1=1 --"])
    expect(await titles(owner, q)).toEqual([]);
  expect(await titles(owner, "web*")).toEqual(["Sam 100% Weber"]);
});

test("a search is of 1 to 120 characters and 1 to 8 words", async () => {
  const { owner } = await newSchool();
  for (const path of ["/search", "/search?q=", "/search?q=%20", "/search?q=%25", "/search?q=@", "/search?q=a&x=1"])
    expectStatus(400, await owner.get(path));
  expectStatus(200, await ask(owner, "x".repeat(120)));
  expectStatus(400, await ask(owner, "x".repeat(121)));
  expectStatus(200, await ask(owner, "a b c d e f g h"));
  expectStatus(400, await ask(owner, "a b c d e f g h i"));
  for (const list of ["/people", "/search"]) expectStatus(400, await owner.get(`${list}?q=...`));
});

test("only members search, each for what they may list", async () => {
  const school = await newSchool();
  const { owner, instructor, student, installation, orgId } = school;
  await addPerson(school, "Sam Eabc");
  await owner.post("/maintenance/work-orders", { aircraft_id: school.aircraftId, title: "Sam" });
  await school.draftFlight(owner, { body: { crew: [{ person_id: instructor.personId, function: "pic" }] } });
  const mechanic = await school.join(["mechanic"], "Max Mechanic");
  const accountant = await school.join(["accountant"], "Alma Accountant");
  const kinds = async (by: Member, q: string) =>
    (await search(by, q)).map(({ kind, title }) => `${kind} ${title}`).sort();
  const people = ["person Sam Eabc", "person Sam Student"];
  expect(await kinds(owner, "sam")).toEqual(["member Sam Student", ...people, "work_order Sam"]);
  expect(await kinds(instructor, "sam")).toEqual(["member Sam Student", ...people, "work_order Sam"]);
  expect(await kinds(accountant, "sam")).toEqual(["member Sam Student", ...people]);
  expect(await kinds(mechanic, "sam")).toEqual(["work_order Sam"]);
  expect(await kinds(student, "sam")).toEqual(["person Sam Student"]);
  expect(await kinds(student, "max")).toEqual([]);
  expect(await kinds(mechanic, "max")).toEqual(["person Max Mechanic"]);
  expect(await kinds(instructor, "eabc")).toEqual([
    "aircraft D-EABC",
    "flight D-EABC",
    "person Sam Eabc",
    "work_order Sam",
  ]);
  expect(await kinds(student, "eabc")).toEqual(["aircraft D-EABC"]);

  const stranger = await newSchool(installation);
  expectStatus(404, await installation.call("GET", `/orgs/${orgId}/search?q=sam`, { token: stranger.owner.token }));
  expectStatus(401, await installation.call("GET", `/orgs/${orgId}/search?q=sam`));
});

test("the words of an erased person are gone, also those of records that named them", async () => {
  const school = await newOwnSchool();
  const { owner, orgId, installation, aircraftId } = school;
  const id = await addPerson(school, "Zelda Quux", { email: "zelda@quux.example" });
  const [title, name] = ["Seat for Zelda Quux", "Zelda Quux Weather"];
  expectStatus(201, await owner.post("/maintenance/work-orders", { aircraft_id: aircraftId, title }));
  await publishedOpportunity(owner, { title });
  await approvedListing(school, { name });
  const listed = async (path: string) =>
    expectStatus(200, await installation.call("GET", path, path.startsWith("/public") ? {} : { token: owner.token }))
      .body.data.length;
  const { length } = await titles(owner, "quux");
  expect([length, await listed("/opportunities?q=quux"), await listed("/public/addon-listings?q=quux")]).toEqual([
    2, 1, 1,
  ]);
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  expect(await titles(owner, "quux")).toEqual([]);
  expect(await titles(owner, "erased person", "person")).toEqual([]);
  expect(await titles(owner, "seat erased")).toEqual(["Seat for Erased person"]);
  expect(await listed("/opportunities?q=seat+erased")).toBe(1);
  expect(await listed("/public/addon-listings?q=weather+erased")).toBe(1);
  expect((await wordsOf(installation, orgId)).filter((word) => /zelda|quux/.test(word))).toEqual([]);
});

test("what the operator has disabled is not found", async () => {
  for (const [disabled, found] of [
    ["marketplace", ["PPL(A)"]],
    ["training", []],
  ] as const) {
    const installation = await newInstallation({ env: { WINDSOCK_DISABLE: disabled } });
    const { owner } = await newSchool(installation);
    if (!isId<"organization">(owner.orgId)) throw new Error("It is an id.");
    await installation.storage.tenants.tenant(owner.orgId).write(async (tx) => {
      const stamps = { created_at: tx.now, updated_at: tx.now };
      const id = newId<"program">(installation.clock);
      await tx.insert(trainingPrograms).values({ id, kind: "ppl_a", name: "PPL(A)", ...stamps });
      await keepWords(tx, programWords, [id]);
    });
    expect(await titles(owner, "ppl")).toEqual([...found]);
  }
});
