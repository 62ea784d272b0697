/** Flights that were flown before the school used Windsock. */
import { expect, test } from "bun:test";
import { csv, expectStatus, type Member, newOwnSchool, newSchool, type School } from "../../support/school.ts";

const send = (by: Member, file: string, query = "") =>
  by.call("POST", `/orgs/${by.orgId}/flights/import${query}`, { body: csv(file) });
const imported = async (by: Member, file: string, query = "") =>
  expectStatus(200, await send(by, file, query)).body.data;
const faults = async (by: Member, file: string): Promise<string[]> =>
  expectStatus(400, await send(by, file)).body.issues.map(
    ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
  );
const lastSeq = async (by: Member) => expectStatus(200, await by.get("/audit-log?limit=1")).body.data[0].seq;
const flights = async (by: Member) => expectStatus(200, await by.get("/flights?limit=500")).body.data;

const heading = "registration,off_block_at,on_block_at,departure,arrival,day_landings,pic";
/** A flight of one hour on a day of May 2025. */
const flown = ({ student }: School, day: number, hour = 8) => {
  const at = (hour: number) => `2025-05-${String(day).padStart(2, "0")}T${String(hour).padStart(2, "0")}:00:00Z`;
  return `D-EABC,${at(hour)},${at(hour + 1)},EDFE,EDKB,1,${student.email}`;
};

test("an import adds approved flights with every column, moves no counters and emits nothing", async () => {
  const school = await newSchool();
  const { owner, instructor, student } = school;
  const person = { name: "Paula", types: ["pilot"], licence_number: "DE.FCL.4711" };
  const { id: paula } = expectStatus(201, await owner.post("/people", person)).body.data;
  const before = await school.aircraft();
  const file = [
    "registration,nature,off_block_at,take_off_at,landing_at,on_block_at,departure,arrival,day_landings,night_landings,night_minutes,ifr_minutes,passengers,hobbs_start,hobbs_end,tacho_start,tacho_end,fuel_uplift_litres,oil_uplift_litres,lesson,remarks,workshop_remarks,instructor,dual,pic,co_pilot",
    `d-eabc,training,2025-05-03T10:30:00+02:00,2025-05-03T08:41:00Z,2025-05-03T09:20:00Z,2025-05-03T09:32:00Z,edfe,EDKB,4,1,10,5,0,10.00,11.00,8.00,8.90,45.5,0.5,13 circuits,"Gusty, 15 kt",Left brake,${instructor.email.toUpperCase()},${student.personId},,`,
    "D-EABC,,2025-05-04T08:00:00Z,,,2025-05-04T09:00:00Z,EDFE,EDFE,1,,,,2,,,,,,,,,,,,DE.FCL.4711,",
  ].join("\n");

  const report = await imported(owner, file);

  expect(report).toMatchObject({ created: 2, updated: 0, unchanged: 0, faults: 0 });
  const [second, first] = await flights(owner);
  expect(first).toEqual({
    ...{ id: report.lines[0].id, status: "approved", revision: 1, imported: true, nature: "training" },
    aircraft: { id: before.id, registration: "D-EABC", model: "Cessna 172S", icao_type: "C172" },
    ...{ off_block_at: "2025-05-03T08:30:00.000Z", take_off_at: "2025-05-03T08:41:00.000Z" },
    ...{ landing_at: "2025-05-03T09:20:00.000Z", on_block_at: "2025-05-03T09:32:00.000Z" },
    ...{ departure: "EDFE", arrival: "EDKB", block_minutes: 62, airborne_minutes: 39 },
    ...{ day_landings: 4, night_landings: 1, night_minutes: 10, ifr_minutes: 5, passengers: 0 },
    ...{ hobbs_start: "10.00", hobbs_end: "11.00", tacho_start: "8.00", tacho_end: "8.90" },
    ...{ fuel_uplift_litres: "45.50", oil_uplift_litres: "0.50", lesson: "13 circuits" },
    ...{ lesson_id: null, enrollment_id: null, cross_country_km: null, full_stops_elsewhere: null },
    ...{ remarks: "Gusty, 15 kt", workshop_remarks: "Left brake", warnings: [], findings: [] },
    crew: [
      { person_id: student.personId, name: "Sam Student", function: "dual", day_landings: 4, night_landings: 1 },
      {
        ...{ person_id: instructor.personId, name: "Ines Instructor", function: "instructor" },
        ...{ day_landings: 0, night_landings: 0 },
      },
    ],
    ...{ created_by: owner.userId, submitted_by: null, submitted_at: null, approved_by: null },
    ...{ created_by_name: "Olga Owner", submitted_by_name: null, approved_by_name: null },
    ...{ supervisor_id: null, supervisor_name: null },
    ...{ approved_at: first.created_at, self_approval_reason: null, rejected_at: null, rejection_reason: null },
    ...{ reversed_at: null, reversal_reason: null, created_at: first.created_at, updated_at: first.updated_at },
  });
  expect(second).toMatchObject({ nature: null, passengers: 2, crew: [{ person_id: paula, function: "pic" }] });
  expect(await school.aircraft()).toEqual(before);
  expect(expectStatus(200, await owner.get("/integrations/events")).body.data).toEqual([]);
  const entries = expectStatus(200, await owner.get("/audit-log?action=flight.imported")).body.data;
  expect(entries).toMatchObject([{ subject: { id: second.id } }, { subject: { id: first.id }, after: first }]);
});

test("imported flights are in the public list, also since a time, and in the lists of their crews", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const key = await school.apiKey("public.flights:read");
  const since = new Date(school.installation.clock.now().getTime() - 1000).toISOString();
  const read = async (query: string) => expectStatus(200, await school.publicGet(`/flights?${query}`, key)).body;
  const { page } = await read(`updated_since=${since}`);

  await imported(owner, [heading, flown(school, 1), flown(school, 2)].join("\n"));

  const changed = await read(`updated_since=${since}&limit=1${page.last_cursor ? `&cursor=${page.last_cursor}` : ""}`);
  const rest = await read(`updated_since=${since}&cursor=${changed.page.last_cursor}`);
  expect([...changed.data, ...rest.data]).toMatchObject([
    { status: "approved", imported: true },
    { status: "approved", imported: true },
  ]);
  expect((await read("status=approved&from=2025-05-02T00:00:00Z")).data).toHaveLength(1);
  expect(await flights(student)).toHaveLength(2);
});

test("a second import changes nothing, and an import never changes a flight", async () => {
  const school = await newSchool();
  const { owner, instructor } = school;
  const file = [heading, flown(school, 1), flown(school, 2)].join("\n");
  await imported(owner, file);
  const [stored, seq] = [await flights(owner), await lastSeq(owner)];

  expect(await imported(owner, file)).toMatchObject({ created: 0, unchanged: 2, lines: [] });
  const more = `${file}\n${flown(school, 3)}`;
  expect(await imported(owner, more, "?dry_run=true")).toMatchObject({ created: 1, unchanged: 2 });
  expect(await lastSeq(owner)).toBe(seq);

  const other = file.replace("EDKB,1", "EDMA,2").replace(school.student.email, instructor.email);
  expect(await faults(owner, other)).toEqual([
    "body.2.arrival differs",
    "body.2.day_landings differs",
    "body.2.pic differs",
  ]);
  expect(await flights(owner)).toEqual(stored);
});

test("a flight that was submitted here is the one that a line describes; a draft is not", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const body = {
    ...{ off_block_at: "2025-05-01T08:00:00Z", on_block_at: "2025-05-01T09:00:00Z" },
    crew: [{ person_id: student.personId, function: "pic" }],
  };
  const draft = await school.draftFlight(student, { body });
  const file = [heading, flown(school, 1)].join("\n");
  expect(await imported(owner, file, "?dry_run=true")).toMatchObject({ created: 1 });
  expectStatus(200, await student.post(`/flights/${draft.id}/submit`));
  expect(await imported(owner, file)).toMatchObject({ created: 0, unchanged: 1 });
});

test("an import names all faults with line and column, and then changes nothing", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const twin = { name: "Twin", types: ["pilot"], email: student.email };
  expectStatus(201, await owner.post("/people", twin));
  const file = [
    "registration,nature,off_block_at,on_block_at,departure,arrival,night_minutes,pic,dual,solo,fuel_uplift_litres,block_minutes,aircraft",
    `D-EABC,,2025-05-01T08:00:00Z,2025-05-01T09:00:00Z,EDFE,EDKB,,${instructor.email},,,,60,`,
    `D-EZZZ,,2025-05-01T08:00:00Z,2025-05-01T09:00:00Z,EDFE,EDKB,,${instructor.email},,,,,`,
    "D-EABC,,2025-05-02T08:00:00Z,2025-05-02T09:00:00Z,EDFE,EDKB,,nobody@x.example,,,,,",
    `D-EABC,,2025-05-03T08:00:00Z,2025-05-03T07:00:00Z,EDFE,,61,${student.email},,,,,`,
    `D-EABC,,2099-05-03T08:00:00Z,2099-05-03T09:00:00Z,EDFE,,61,${instructor.email},,,,,`,
    `D-EABC,,2025-05-05 08:00,2025-05-05T09:00:00Z,EDFE,EDKB,,${instructor.email},,,"1,5",,`,
    `D-EABC,,2025-05-06T08:00:00Z,2025-05-06T09:00:00Z,EDFE,EDKB,,${instructor.email},${student.personId},,,,`,
    `D-EABC,simulator,2025-05-07T08:00:00Z,2025-05-07T09:00:00Z,EDFE,EDKB,,,,${student.personId}|${instructor.personId},,,`,
    "D-EABC,,2025-05-08T08:00:00Z,2025-05-08T09:00:00Z,EDFE,EDKB,,,,,,,",
    `D-EABC,,,2025-05-09T09:00:00Z,EDFE,EDKB,,${instructor.email},,,,,`,
    `D-EABC,,2025-05-01T08:00:00Z,2025-05-01T09:00:00Z,EDFE,EDKB,,${instructor.email},,,,,`,
    `D-EABC,,2025-05-01T08:30:00Z,2025-05-01T09:30:00Z,EDFE,EDKB,,${instructor.email},,,,,`,
    `D-EABC,,2025-05-12T08:00:00Z,2025-05-12T09:00:00Z,EDFE,EDKB,,${instructor.email}|${instructor.personId},,,,,`,
  ].join("\n");

  expect(await faults(owner, file)).toEqual([
    "body.1.aircraft no_such_field",
    "body.3.registration unknown",
    "body.4.pic unknown",
    ...["body.5.pic ambiguous", "body.5.on_block_at impossible", "body.5.on_block_at impossible"],
    "body.5.arrival incomplete",
    ...["body.6.night_minutes impossible", "body.6.arrival incomplete", "body.6.on_block_at incomplete"],
    ...["body.7.off_block_at invalid_format", "body.7.fuel_uplift_litres invalid_format"],
    "body.8.dual crew",
    "body.9.nature impossible",
    "body.10 crew",
    "body.11.off_block_at required",
    "body.12 duplicate",
    "body.13.off_block_at overlap",
    "body.14.pic duplicate",
  ]);
  expect(await flights(owner)).toEqual([]);
  const trial = await imported(owner, file, "?dry_run=true");
  expect(trial).toMatchObject({ created: 0, lines: [], faults: 19, ignored_columns: ["block_minutes"] });
});

test("the faults of a line are told together, but none that another one may have caused", async () => {
  const { owner, student } = await newSchool();
  const columns =
    "registration,off_block_at,on_block_at,departure,arrival,night_minutes,hobbs_start,hobbs_end,take_off_at,landing_at,nature,pic";
  const file = [
    columns,
    "D-EABC,2025-05-01T08:00:00Z,2025-05-01T09:00:00Z,EDFE,,61,ten,11.00,soon,2025-05-01T08:50:00Z,,nobody@x.example",
    `D-EABC,2025-05-02T08:00:00Z,2025-05-02T09:00:00Z,,,61,,,,,holiday,${student.email}`,
    "D-EZZZ,2025-05-03T08:00:00Z,2025-05-03T09:00:00Z,EDFE,EDKB,,,,,,,nobody@x.example",
    `D-EABC,tomorrow,2025-05-04T09:00:00Z,,,61,,,,,,${student.email}`,
    `D-EABC,2025-05-05T08:00:00Z,2025-05-05T09:00:00Z,EDFE,,,,,,,,nobody@x.example|${student.email}`,
  ].join("\n");
  expect(await faults(owner, file)).toEqual([
    ...["body.2.take_off_at invalid_format", "body.2.hobbs_start invalid_format"],
    ...["body.2.pic unknown", "body.2.night_minutes impossible", "body.2.arrival incomplete"],
    ...["body.3.nature invalid_value", "body.3.night_minutes impossible"],
    ...["body.4.registration unknown", "body.4.pic unknown"],
    "body.5.off_block_at invalid_format",
    ...["body.6.pic unknown", "body.6.arrival incomplete"],
  ]);
});

test("a file without a column that every line needs has one fault", async () => {
  const { owner } = await newSchool();
  const file = "off_block_at,on_block_at\n2025-05-01T08:00:00Z,2025-05-01T09:00:00Z\n2025-05-02T08:00:00Z,\n";
  expect(await faults(owner, file)).toEqual(["body.1.registration required"]);
});

test("flights of an aircraft may follow each other at once; one that overlaps a stored flight is refused", async () => {
  const school = await newSchool();
  const { owner } = school;
  await imported(owner, [heading, flown(school, 1, 8), flown(school, 1, 10)].join("\n"));
  expect(await imported(owner, [heading, flown(school, 1, 9)].join("\n"))).toMatchObject({ created: 1 });
  const during = `D-EABC,2025-05-01T06:00:00Z,2025-05-01T08:01:00Z,EDFE,EDKB,1,${school.student.email}`;
  const { issues } = expectStatus(400, await send(owner, [heading, during].join("\n"))).body;
  expect(issues).toEqual([
    {
      ...{ path: "body.2.off_block_at", code: "overlap" },
      message: "The aircraft has another flight from 2025-05-01T08:00:00.000Z to 2025-05-01T09:00:00.000Z.",
    },
  ]);
});

test("an aircraft and people who are archived by now have past flights", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId } = school;
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { status: "archived" }));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { status: "archived" }));
  expect(await imported(owner, [heading, flown(school, 1)].join("\n"))).toMatchObject({ created: 1 });
});

test("a person whose data was erased can't be named", async () => {
  const { owner } = await newSchool();
  const { id } = expectStatus(201, await owner.post("/people", { name: "A B", types: ["pilot"] })).body.data;
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  const line = `D-EABC,2025-05-01T08:00:00Z,2025-05-01T09:00:00Z,EDFE,EDKB,1,${id}`;
  expect(await faults(owner, `${heading}\n${line}`)).toEqual(["body.2.pic erased"]);
});

test("a flight that its importer was on board of is marked, in the flight and the audit log", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const { owner, student } = school;
  const admin = await school.join(["admin"], "Ada Admin");
  const since = await lastSeq(owner);
  const line = (day: number, pic: string) =>
    `D-EABC,2025-05-0${day}T08:00:00Z,2025-05-0${day}T09:00:00Z,EDFE,EDKB,1,${pic}`;
  const file = [heading, line(1, admin.personId), line(2, student.personId)].join("\n");
  await imported(admin, file);
  // Who changes the link of the person afterwards still flew it.
  const former = { email: "former@x.example", name: "Former", types: ["pilot"] };
  const { id } = expectStatus(201, await owner.post("/people", { ...former, email: admin.email })).body.data;
  expectStatus(200, await owner.patch(`/people/${id}`, { email: former.email }));
  await imported(admin, [heading, line(3, id)].join("\n"));
  // So did who changed it before.
  installation.clock.advance(10 * 60_000);
  const times = [5, 0].map((ago) => new Date(installation.clock.now().getTime() - ago * 60_000).toISOString());
  await imported(admin, [heading, `D-EABC,${times.join(",")},EDFE,EDKB,1,${id}`].join("\n"));

  const marks = (await flights(owner)).map(
    ({ off_block_at, self_approval_reason }: Record<string, string | null>) =>
      `${off_block_at?.slice(0, 10)} ${self_approval_reason}`,
  );
  const marked = "Imported by a member who was on board.";
  const days = [`2025-05-01 ${marked}`, "2025-05-02 null", `2025-05-03 ${marked}`];
  expect(marks.sort()).toEqual([...days, `${times[0]?.slice(0, 10)} ${marked}`]);
  const { data } = expectStatus(200, await owner.get("/audit-log?action=flight.imported")).body;
  const logged = data.filter(({ seq }: { seq: number }) => seq > since);
  expect(logged.map(({ after }: { after: Record<string, unknown> }) => after.self_approval_reason !== null)).toEqual([
    ...[true, true, false, true],
  ]);
});

test("a logbook's date and times of day in UTC may pass midnight", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const file = [
    "date;registration;off_block;take_off;landing;on_block;departure;arrival;solo",
    `2025-05-01;D-EABC;23:10;23:20;0:05;00:15;EDFE;EDKB;${student.email}`,
  ];
  expect(await imported(owner, file.join("\n"))).toMatchObject({ created: 1 });
  expect(await imported(owner, file.join("\n"))).toMatchObject({ unchanged: 1 });
  const [flight] = await flights(owner);
  expect(flight).toMatchObject({
    ...{ off_block_at: "2025-05-01T23:10:00.000Z", take_off_at: "2025-05-01T23:20:00.000Z" },
    ...{ landing_at: "2025-05-02T00:05:00.000Z", on_block_at: "2025-05-02T00:15:00.000Z", block_minutes: 65 },
  });
  const wrong = [
    `${file[0]};off_block_at`,
    ";D-EABC;10:00;;;11:00;EDFE;EDKB;;",
    "2025-05-02;D-EABC;24:00;;;11:00;EDFE;EDKB;;",
    "2025-05-02;D-EABC;10:00;;;11:00;EDFE;EDKB;;2025-05-02T10:00:00Z",
  ];
  expect(await faults(owner, wrong.join("\n"))).toEqual([
    ...["body.2.date required", "body.3.off_block invalid_format", "body.4.off_block duplicate"],
  ]);
});

test("the list of flights as CSV can be imported into another school, and again into its own", async () => {
  const [first, second] = [await newSchool(), await newSchool()];
  const listOf = async ({ owner }: School, query = "?status=approved") => {
    const headers = { accept: "text/csv" };
    return expectStatus(200, await owner.call("GET", `/orgs/${owner.orgId}/flights${query}`, { headers })).text;
  };
  const { id } = await first.submitFlight(first.student, { body: { remarks: "Gusty; 15 kt", night_minutes: 5 } });
  expectStatus(200, await first.owner.post(`/flights/${id}/approve`));
  await imported(first.owner, [heading, flown(first, 1)].join("\n"));
  const list = await listOf(first);

  expect(await imported(first.owner, list)).toMatchObject({ created: 0, unchanged: 2 });
  expect(await imported(second.owner, list)).toMatchObject({ created: 2 });
  expect(await imported(second.owner, list)).toMatchObject({ created: 0, unchanged: 2 });
  const facts = (all: Record<string, unknown>[]) =>
    all.map(({ off_block_at, on_block_at, arrival, remarks, night_minutes, crew }) => ({
      ...{ off_block_at, on_block_at, arrival, remarks, night_minutes },
      crew: (crew as { name: string; function: string }[]).map(({ name, function: f }) => [name, f]),
    }));
  expect(facts(await flights(second.owner))).toEqual(facts(await flights(first.owner)));

  // Only approved flights are imported, and people whose names are unknown or not unique are faults.
  await first.submitFlight(first.student);
  expect(await faults(second.owner, await listOf(first, ""))).toContainEqual(
    expect.stringMatching(/^body\.\d\.status invalid_value$/),
  );
  expectStatus(201, await second.owner.post("/people", { name: "Sam Student", types: ["pilot"] }));
  expect(await faults(second.owner, list)).toEqual(["body.2.crew ambiguous", "body.3.crew ambiguous"]);
  expect(await faults(second.owner, list.replaceAll("Sam Student", "Nobody"))).toContain("body.2.crew unknown");
  const broken = "registration,off_block_at,on_block_at,crew\nD-EABC,2025-06-01T08:00:00Z,2025-06-01T09:00:00Z,Sam";
  expect(await faults(second.owner, broken)).toContain("body.2.crew invalid_format");
});

test("a simulator session is imported as such", async () => {
  const { owner, student } = await newSchool();
  const simulator = { registration: "DE-1A-001", model: "FNPT II", class: "FSTD" };
  expectStatus(201, await owner.post("/aircraft", simulator));
  const columns = "registration,nature,off_block_at,on_block_at,solo";
  const line = `DE-1A-001,simulator,2025-05-01T08:00:00Z,2025-05-01T09:00:00Z,${student.email}`;
  expect(await imported(owner, `${columns}\n${line}`)).toMatchObject({ created: 1 });
  expect(await faults(owner, `${columns}\n${line.replace("simulator", "").replaceAll("-01T", "-02T")}`)).toEqual([
    "body.2.nature impossible",
  ]);
});

test("an imported flight is reversed without a posting, and stays reversed when its line is imported again", async () => {
  const school = await newSchool();
  const { owner } = school;
  const file = [heading, flown(school, 1)].join("\n");
  const { lines } = await imported(owner, file);
  const before = await school.aircraft();

  const reversed = expectStatus(
    200,
    await owner.post(`/flights/${lines[0].id}/reverse`, { reason: "Flown elsewhere." }),
  );

  expect(reversed.body.data).toMatchObject({ status: "reversed", imported: true });
  expect(await school.aircraft()).toEqual(before);
  expect(await imported(owner, file)).toMatchObject({ created: 0, unchanged: 1 });
  const corrected = file.replace("EDKB", "EDMA");
  expect(await imported(owner, corrected)).toMatchObject({ created: 1 });
  expect(await imported(owner, corrected)).toMatchObject({ created: 0, unchanged: 1 });
  const stored = (await flights(owner)).map((one: Record<string, string>) => [one.status, one.arrival].join(" "));
  expect(stored.sort()).toEqual(["approved EDMA", "reversed EDKB"]);
});
