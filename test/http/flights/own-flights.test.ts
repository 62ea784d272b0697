/** What members who see only their own flights list, after each change that a flight can go through. */
import { expect, test } from "bun:test";
import { csv, expectStatus, type Member, newSchool } from "../../support/school.ts";

const filters = [
  "",
  ...["draft", "submitted", "approved", "rejected", "reversed"].map((status) => `status=${status}`),
  "from=2026-06-02T00:00:00Z",
  "to=2026-06-02T00:00:00Z",
  "workshop_remarks=true",
];

test("a student's list has the own flights of the owner's, for all filters, after each change of a flight", async () => {
  const school = await newSchool();
  const { owner, instructor, student, aircraftId } = school;
  const plane = { registration: "D-EXYZ", model: "C172", icao_type: "C172", class: "SEP" };
  const other = expectStatus(201, await owner.post("/aircraft", plane)).body.data.id;
  const own = new Set<string>();
  const list = async (by: Member, query: string) =>
    expectStatus(200, await by.get(`/flights?${query}`)).body.data.map(({ id }: { id: string }): string => id);
  const areSame = async () => {
    const people = [student.personId, instructor.personId].map((id) => `person_id=${id}`);
    const planes = [aircraftId, other].map((id) => `aircraft_id=${id}`);
    for (const filter of [...filters, ...planes, ...people, `${people[0]}&${planes[0]}`]) {
      const all = await list(owner, filter);
      expect([filter, await list(student, filter)]).toEqual([filter, all.filter((id: string) => own.has(id))]);
    }
  };
  const solo = { person_id: student.personId, function: "solo" };
  const on = (day: number) => ({
    off_block_at: `2026-06-0${day}T08:00:00Z`,
    on_block_at: `2026-06-0${day}T09:00:00Z`,
  });
  const foreign = { ...on(4), crew: [{ person_id: instructor.personId, function: "pic" }] };
  await school.submitFlight(instructor, { body: foreign });
  await areSame();

  const flight = await school.draftFlight(instructor, { body: { ...on(1), crew: [solo] } });
  own.add(flight.id);
  await areSame();
  for (const change of [
    { ...on(2) },
    { aircraft_id: other },
    { workshop_remarks: "The left brake feels soft." },
    { off_block_at: null, on_block_at: null },
    { workshop_remarks: null, aircraft_id: aircraftId, ...on(3) },
  ]) {
    expectStatus(200, await instructor.patch(`/flights/${flight.id}`, change));
    await areSame();
  }
  // Out of the crew, and into it again.
  expectStatus(200, await instructor.patch(`/flights/${flight.id}`, { crew: foreign.crew }));
  own.delete(flight.id);
  await areSame();
  expectStatus(200, await instructor.patch(`/flights/${flight.id}`, { crew: [solo] }));
  own.add(flight.id);
  await areSame();
  for (const [by, verb] of [
    [student, "submit"],
    [owner, "reject"],
    [student, "submit"],
    [owner, "approve"],
    [owner, "reverse"],
  ] as const) {
    const body = verb === "submit" || verb === "approve" ? {} : { reason: "Wrong." };
    expectStatus(200, await by.post(`/flights/${flight.id}/${verb}`, body));
    await areSame();
  }

  // Drafted, without being on board; and for both reasons.
  own.add((await school.draftFlight(student, { body: { ...on(5), crew: foreign.crew } })).id);
  own.add((await school.draftFlight(student, { body: { ...on(6), crew: [solo], workshop_remarks: "Soft." } })).id);
  await areSame();
  const file = `registration,off_block_at,on_block_at,departure,arrival,day_landings,nature,solo\r\nD-EXYZ,2026-05-01T08:00:00Z,2026-05-01T09:00:00Z,EDFE,EDFE,1,training,${student.personId}\r\n`;
  const imported = await owner.call("POST", `/orgs/${school.orgId}/flights/import`, { body: csv(file) });
  expect(expectStatus(200, imported).body.data.created).toBe(1);
  own.add((await list(owner, "to=2026-05-02T00:00:00Z"))[0] ?? "");
  await areSame();

  // Page by page, of those that they drafted and of those that they flew.
  for (const day of [7, 8])
    own.add((await school.draftFlight(student, { body: { ...on(day), crew: foreign.crew } })).id);
  const whole = await list(student, "");
  expect(whole).toHaveLength(own.size);
  for (const limit of [1, 2]) {
    const pages: string[] = [];
    for (let cursor: string | null = ""; cursor !== null && pages.length <= whole.length; ) {
      const query: string = `limit=${limit}${cursor && `&cursor=${cursor}`}`;
      const { data, page } = expectStatus(200, await student.get(`/flights?${query}`)).body;
      pages.push(...data.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
    }
    expect([limit, pages]).toEqual([limit, whole]);
  }
});

test("a list of own flights follows the link to a person, by account or e-mail address, and an erasure", async () => {
  const school = await newSchool();
  const { owner, instructor, student } = school;
  const crewOf = (person_id: string) => ({ body: { crew: [{ person_id, function: "solo" }] } });
  const count = async (query = "") => (await student.get(`/flights?with_total=true${query}`)).body.page.total;
  const added = { name: "Sam Student", types: ["pilot"], email: student.email };
  const second = expectStatus(201, await owner.post("/people", added)).body.data.id;
  await school.draftFlight(instructor, crewOf(second));
  const remarked = { body: { ...crewOf(student.personId).body, workshop_remarks: "Soft." } };
  const flight = await school.submitFlight(instructor, remarked);
  expectStatus(200, await owner.post(`/flights/${flight.id}/reject`, { reason: "No." }));
  expect([await count(), await count("&workshop_remarks=true")]).toEqual([2, 1]);

  expectStatus(200, await owner.patch(`/people/${second}`, { email: null }));
  expect(await count()).toBe(1);
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { user_id: null, email: null }));
  expect(await count()).toBe(0);

  // Its remarks are erased with one of its crew.
  const { id: gone } = expectStatus(201, await owner.post("/people", { name: "Mia Muster", types: ["pilot"] })).body
    .data;
  const crew = [
    { person_id: gone, function: "pic" },
    { person_id: second, function: "co_pilot" },
  ];
  const both = await school.draftFlight(instructor, { body: { crew, workshop_remarks: "Soft." } });
  expectStatus(200, await owner.patch(`/people/${second}`, { email: student.email }));
  expect([await count(), await count("&workshop_remarks=true")]).toEqual([2, 1]);
  expectStatus(200, await owner.post(`/people/${gone}/erase`));
  expect(expectStatus(200, await student.get(`/flights/${both.id}`)).body.data.workshop_remarks).toBeNull();
  expect([await count(), await count("&workshop_remarks=true")]).toEqual([2, 0]);
});
