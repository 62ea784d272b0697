import { expect, test } from "bun:test";
import fc from "fast-check";
import { readCsv } from "../../../src/core/csv.ts";
import { expectStatus, type Member, newSchool, type School } from "../../support/school.ts";
import { addAircraft, columns, daily, type Flown, importFlights, logged, type Sums, sumOf } from "./logging.ts";

// biome-ignore lint/suspicious/noExplicitAny: see Answer
type Page = any;

const logbook = async (by: Member, person: Pick<Member, "personId">, query = ""): Promise<Page> =>
  expectStatus(200, await by.get(`/people/${person.personId}/logbook${query}`)).body;

const none = sumOf([]);

test("an empty logbook has totals of zero", async () => {
  const { student } = await newSchool();
  const { data, brought_forward, page_totals, to_date } = await logbook(student, student);
  expect(data).toEqual([]);
  expect([brought_forward, page_totals, to_date]).toEqual([none, none, none]);
});

test("a flight is in the logbooks of its crew while it is approved, in the columns of AMC1 FCL.050", async () => {
  const school = await newSchool();
  const { student, instructor, owner } = school;
  const flight = await school.submitFlight(instructor, {
    blockMinutes: 62,
    body: {
      crew: [
        { person_id: instructor.personId, function: "instructor" },
        { person_id: student.personId, function: "dual" },
      ],
      day_landings: 4,
      night_landings: 1,
      night_minutes: 20,
      ifr_minutes: 10,
      remarks: "Circuits",
    },
  });
  expect((await logbook(student, student)).data).toEqual([]);
  expectStatus(200, await owner.post(`/flights/${flight.id}/approve`));

  const { data, page_totals, to_date } = await logbook(student, student);
  const common = { single_pilot_se_minutes: 62, total_minutes: 62, day_landings: 4, night_landings: 1 };
  const conditions = { night_minutes: 20, ifr_minutes: 10 };
  const dual = { ...none, ...common, ...conditions, dual_minutes: 62 };
  expect(data).toEqual([
    {
      ...dual,
      flight_id: flight.id,
      date: flight.off_block_at.slice(0, 10),
      departure: "EDFE",
      arrival: "EDKB",
      off_block_at: flight.off_block_at,
      on_block_at: flight.on_block_at,
      aircraft: {
        id: school.aircraftId,
        registration: "D-EABC",
        model: "Cessna 172S",
        icao_type: "C172",
        class: "SEP",
      },
      pic_name: "Ines Instructor",
      function: "dual",
      fstd_qualification_number: null,
      remarks: "Circuits",
    },
  ]);
  expect([page_totals, to_date]).toEqual([dual, dual]);
  const instructed = (await logbook(instructor, instructor)).to_date;
  const landed = { day_landings: 0, night_landings: 0 };
  expect(instructed).toEqual({ ...dual, ...landed, dual_minutes: 0, pic_minutes: 62, instructor_minutes: 62 });

  expectStatus(200, await owner.post(`/flights/${flight.id}/reverse`, { reason: "Wrong aircraft." }));
  expect((await logbook(student, student)).to_date).toEqual(none);
});

test("totals of every page are the sums of the flights and of the opening totals", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const planes = { "D-EABC": "SEP", "D-GABC": "MEP", "D-KABC": "TMG", "D-1234": "sailplane", "D-ABCD": "multi_pilot" };
  const types = { ...planes, SIM: "FSTD" } as const;
  for (const [registration, type] of Object.entries(types))
    if (type !== "SEP") await addAircraft(school, registration, type);
  const mail = { student: student.email, instructor: instructor.email, owner: owner.email };
  const crews: Record<string, string>[] = [
    { solo: mail.student },
    { pic: mail.student },
    { dual: mail.student, instructor: mail.instructor },
    { spic: mail.student, instructor: mail.instructor },
    { picus: mail.student, pic: mail.instructor },
    { co_pilot: mail.student, pic: mail.instructor },
    { pic: mail.owner },
  ];
  let day = 0;
  const any = fc.record({
    registration: fc.constantFrom(...Object.keys(types)),
    crew: fc.constantFrom(...crews),
    minutes: fc.integer({ min: 1, max: 600 }),
    landings: fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 })),
    parts: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    /** Later flights may be imported first. */
    order: fc.nat({ max: 10_000 }),
  });
  const opening = fc.record({ total_minutes: fc.nat({ max: 9_000 }), day_landings: fc.nat({ max: 500 }) });
  const flown: Flown[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.array(any, { maxLength: 8 }),
      opening,
      fc.integer({ min: 1, max: 7 }),
      async (made, start, limit) => {
        const added = made.map(({ registration, crew, minutes, landings, parts, order }): Flown => {
          day += 1;
          const isSession = registration === "SIM";
          const at = Date.UTC(2015, 0, 1) + (order % 10) * 400 * 86_400_000 + day * 86_400_000;
          return {
            ...{ registration, minutes, crew, off_block_at: new Date(at).toISOString() },
            ...(isSession
              ? { nature: "simulator" }
              : {
                  day_landings: landings[0],
                  night_landings: landings[1],
                  night_minutes: Math.floor(parts[0] * minutes),
                  ifr_minutes: Math.floor(parts[1] * minutes),
                }),
          };
        });
        if (added.length > 0) await importFlights(school, added);
        flown.push(...added);
        expectStatus(200, await owner.patch(`/people/${student.personId}/logbook/opening-totals`, start));

        const rows = flown
          .toSorted((one, other) => (one.off_block_at < other.off_block_at ? -1 : 1))
          .flatMap((flight) => {
            const sums = logged(flight, types[flight.registration as keyof typeof types], mail.student);
            return sums ? [{ ...none, ...sums }] : [];
          });
        let carried: Sums = { ...none, ...start };
        for (let query = `?limit=${limit}`, at = 0; query !== ""; at += limit) {
          const page = await logbook(student, student, query);
          const expected = rows.slice(at, at + limit);
          expect(page.data.map((row: Sums) => Object.fromEntries(columns.map((name) => [name, row[name]])))).toEqual(
            expected,
          );
          expect(page.brought_forward).toEqual(carried);
          expect(page.page_totals).toEqual(sumOf(expected));
          carried = sumOf([carried, ...expected]);
          expect(page.to_date).toEqual(carried);
          query = page.page.next_cursor === null ? "" : `?limit=${limit}&cursor=${page.page.next_cursor}`;
        }
        expect(carried).toEqual(sumOf([{ ...none, ...start }, ...rows]));
      },
    ),
    { numRuns: 12 },
  );
});

test("totals before a page are right for more flights than are summed at once, and from a date on", async () => {
  const school = await newSchool();
  const { student } = school;
  const flights = daily(1_234, student.email);
  await importFlights(school, flights);
  const from = flights[1_100]?.off_block_at;
  const sums = flights.map((flight) => ({ ...none, ...logged(flight, "SEP", student.email) }));
  const page = await logbook(student, student, `?from=${from}&to=${flights[1_200]?.off_block_at}&limit=500`);
  expect(page.data).toHaveLength(100);
  expect(page.brought_forward).toEqual(sumOf(sums.slice(0, 1_100)));
  expect(page.page_totals).toEqual(sumOf(sums.slice(1_100, 1_200)));
  expect(page.to_date).toEqual(sumOf(sums.slice(0, 1_200)));
});

test("CSV has every flight, and no formulas", async () => {
  const school = await newSchool();
  const { student, orgId, owner } = school;
  await importFlights(school, daily(700, student.email));
  const draft = await school.submitFlight(student, { body: { remarks: '=HYPERLINK("https://example.com")' } });
  expectStatus(200, await owner.post(`/flights/${draft.id}/approve`));
  const path = `/orgs/${orgId}/people/${student.personId}/logbook`;
  const { text, headers } = await student.call("GET", path, { headers: { accept: "text/csv" } });
  expect(headers.get("content-disposition")).toBe('attachment; filename="people-logbook.csv"');
  const { lines } = await readCsv(text, { lines: 10_000 });
  const [names = [], ...rows] = lines.map(({ cells }) => cells);
  expect(rows).toHaveLength(701);
  expect(names).toContain("aircraft.registration");
  expect(text).toContain(`"'=HYPERLINK(`);
  const minutes = rows.map((row) => Number(row[names.indexOf("total_minutes")]));
  const whole = await logbook(student, student);
  expect(whole.brought_forward.total_minutes + minutes.reduce((sum, one) => sum + one, 0)).toBe(
    (await logbook(student, student, "?from=2030-01-01T00:00:00Z")).to_date.total_minutes,
  );
});

test("a logbook is for the person, and for members who may read people and flights", async () => {
  const school = await newSchool();
  const { student, instructor } = school;
  const other = await school.join(["student"], "Other Student");
  const mechanic = await school.join(["mechanic"], "Max Mechanic");
  const statusFor = async (by: Member, { personId }: Member) => (await by.get(`/people/${personId}/logbook`)).status;
  expect(await statusFor(student, student)).toBe(200);
  expect(await statusFor(instructor, student)).toBe(200);
  expect(await statusFor(mechanic, mechanic)).toBe(200);
  expect(await statusFor(other, student)).toBe(404);
  expect(await statusFor(mechanic, student)).toBe(404);
});

test("opening totals are set by the person or by members who manage people, and are audited", async () => {
  const school: School = await newSchool();
  const { owner, student, instructor } = school;
  const path = `/people/${student.personId}/logbook/opening-totals`;
  expect(expectStatus(200, await student.get(path)).body.data).toEqual({
    ...none,
    person_id: student.personId,
    person_name: "Sam Student",
    as_of: null,
  });
  const change = { as_of: "2024-12-31", total_minutes: 6_000, pic_minutes: 3_000, simulator_minutes: 120 };
  const set = expectStatus(200, await student.patch(path, change)).body.data;
  expect(set).toEqual({ ...none, ...change, person_id: student.personId, person_name: "Sam Student" });
  expectStatus(200, await owner.patch(path, { day_landings: 200 }));
  expect((await owner.get(path)).body.data).toEqual({ ...set, day_landings: 200 });
  expectStatus(403, await instructor.patch(path, { day_landings: 1 }));
  expectStatus(404, await (await school.join(["student"])).patch(path, { day_landings: 1 }));

  const refused = expectStatus(400, await student.patch(path, { pic_minutes: 6_001 }));
  expect(refused.body.issues).toEqual([expect.objectContaining({ path: "body.pic_minutes", code: "impossible" })]);
  expectStatus(400, await student.patch(path, { single_pilot_se_minutes: 4_000, multi_pilot_minutes: 2_001 }));
  expectStatus(200, await student.patch(path, { single_pilot_se_minutes: 4_000, multi_pilot_minutes: 2_000 }));
  expectStatus(400, await student.patch(path, { as_of: "2026-06-15" }));
  expectStatus(200, await student.patch(path, { as_of: "2026-06-14" }));
  const { data } = (await owner.get(`/audit-log?subject_id=${student.personId}`)).body;
  expect(data.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
    "logbook_opening_totals.updated",
    "logbook_opening_totals.updated",
  ]);

  expectStatus(200, await owner.patch(`/people/${student.personId}`, { status: "archived" }));
  const archived = expectStatus(409, await owner.patch(path, { day_landings: 1 }));
  expect(archived.body.error.reason).toBe("person_archived");
});

test.each([
  ["SEP", "instructor and dual", "single_pilot_se_minutes"],
  ["MEP", "pic", "single_pilot_me_minutes"],
  ["sailplane", "pic", null],
  // The operation needed two pilots.
  ["SEP", "pic and co_pilot", "multi_pilot_minutes"],
  ["MEP", "pic and picus", "multi_pilot_minutes"],
  ["multi_pilot", "pic and co_pilot", "multi_pilot_minutes"],
  ["multi_pilot", "instructor and dual", "multi_pilot_minutes"],
])("%s with %s: the time is in %p", async (kind, functions, column) => {
  const school = await newSchool();
  const mails = [school.instructor.email, school.student.email];
  await addAircraft(school, "D-XABC", kind);
  const crew = Object.fromEntries(functions.split(" and ").map((name, at) => [name, mails[at] ?? ""]));
  await importFlights(school, [{ registration: "D-XABC", off_block_at: "2025-05-01T08:00:00Z", minutes: 62, crew }]);
  const { to_date } = await logbook(school.instructor, school.instructor);
  const ofKind = Object.entries(to_date).filter(([name]) => /^(single|multi)_pilot/.test(name));
  expect(ofKind.filter(([, minutes]) => minutes !== 0)).toEqual(column === null ? [] : [[column, 62]]);
  expect(to_date.total_minutes).toBe(62);
});

test("a session names the qualification that its simulator had on that day", async () => {
  const school = await newSchool();
  const { student, owner } = school;
  const [aircraft_id, other] = [
    await addAircraft(school, "FNPT-1", "FSTD"),
    await addAircraft(school, "SIM-2", "FSTD"),
  ];
  const add = async (
    number: string | null,
    issued_on: string,
    simulator = aircraft_id,
    type = "fstd_qualification",
  ) => {
    const record = { aircraft_id: simulator, type, number, issued_on, valid_until: "2027-12-31" };
    return expectStatus(201, await owner.post("/compliance/records", record)).body.data.id;
  };
  const days = ["2022-05-01", "2023-01-09", "2024-01-09", "2024-01-10", "2025-05-01"];
  const crew = { dual: student.email, instructor: school.instructor.email };
  const sessions = days.map((day) => ({ nature: "simulator", off_block_at: `${day}T08:00:00Z`, minutes: 60, crew }));
  await importFlights(school, [
    ...sessions.map((session) => ({ ...session, registration: "FNPT-1" })),
    { registration: "D-EABC", off_block_at: "2025-05-02T08:00:00Z", minutes: 60, crew },
  ]);
  const numbers = async () => (await logbook(student, student)).data.map((row: Page) => row.fstd_qualification_number);
  expect(await numbers()).toEqual([null, null, null, null, null, null]);
  await add("DE-1A-041", "2023-01-10");
  await add("DE-1A-042", "2024-01-10");
  // These are none of its qualifications.
  await add("INS-1", "2022-01-10", aircraft_id, "insurance");
  await add("DE-1A-099", "2022-01-10", other);
  await add(null, "2025-01-10");
  const mistaken = await add("DE-1A-050", "2025-02-10");
  const path = `/compliance/records/${mistaken}/withdraw`;
  expectStatus(200, await owner.post(path, { reason: "Another device's.", entered_by_mistake: true }));
  // Before the first one that is known, the device had that number as well.
  const known = ["DE-1A-041", "DE-1A-041", "DE-1A-041", "DE-1A-042", "DE-1A-042"];
  expect(await numbers()).toEqual([...known, null]);
});
