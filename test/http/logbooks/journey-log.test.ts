import { expect, test } from "bun:test";
import { expectStatus, newSchool, type School } from "../../support/school.ts";
import { addAircraft, daily, importFlights } from "./logging.ts";

const log = async ({ owner }: School, aircraftId: string, query = "") =>
  expectStatus(200, await owner.get(`/aircraft/${aircraftId}/journey-log${query}`)).body;

test("a journey log shows a flight with its crew, readings, uplifts, remarks and defects", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId, installation } = school;
  const end = installation.clock.now().getTime() - 3_600_000;
  const minutesBefore = (minutes: number) => new Date(end - minutes * 60_000).toISOString();
  const flight = await school.submitFlight(student, {
    blockMinutes: 62,
    body: {
      crew: [{ person_id: student.personId, function: "pic" }],
      ...{ take_off_at: minutesBefore(55), landing_at: minutesBefore(10), nature: "private" },
      ...{ hobbs_start: "1234.50", hobbs_end: "1235.50", passengers: 2 },
      ...{ fuel_uplift_litres: "40.5", workshop_remarks: "The left brake feels soft." },
    },
  });
  expectStatus(200, await owner.post(`/flights/${flight.id}/approve`));
  const defect = { flight_id: flight.id, description: "Flat tyre.", grounding: false };
  expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect));

  const { data, brought_forward, page_totals, to_date } = await log(school, aircraftId);
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({
    ...{ flight_id: flight.id, date: flight.off_block_at.slice(0, 10), nature: "private" },
    crew: [{ person_id: student.personId, name: "Sam Student", function: "pic" }],
    ...{ departure: "EDFE", arrival: "EDKB", block_minutes: 62, airborne_minutes: 45, day_landings: 1 },
    ...{ hobbs_start: "1234.50", hobbs_end: "1235.50", passengers: 2, fuel_uplift_litres: "40.50" },
    ...{ workshop_remarks: "The left brake feels soft.", defects: ["Flat tyre."] },
    ...{ airframe_minutes: 45, airframe_total_minutes: 74_115 },
  });
  expect(brought_forward).toMatchObject({ block_minutes: 0, airframe_minutes: 74_070 });
  expect(page_totals).toMatchObject({ block_minutes: 62, airborne_minutes: 45, airframe_minutes: 45 });
  expect(to_date).toMatchObject({ airframe_minutes: (await school.aircraft()).airframe_minutes });
});

test("airframe time runs up to the present reading, through imported flights, pages and CSV", async () => {
  const school = await newSchool();
  const { student, owner, aircraftId } = school;
  const flights = daily(603, student.email, "2023-01-01");
  await importFlights(school, flights);
  const flight = await school.submitFlight(student, { blockMinutes: 62 });
  expectStatus(200, await owner.post(`/flights/${flight.id}/approve`));
  const imported = flights.reduce((sum, { minutes }) => sum + minutes, 0);

  const first = await log(school, aircraftId, "?limit=500");
  expect(first.brought_forward).toMatchObject({ block_minutes: 0, airframe_minutes: 74_070 - imported });
  const last = await log(school, aircraftId, `?limit=500&cursor=${first.page.next_cursor}`);
  expect(last.brought_forward).toEqual(first.to_date);
  expect(last.to_date).toMatchObject({ block_minutes: imported + 62, airframe_minutes: 74_132 });
  expect(last.data.at(-1).airframe_total_minutes).toBe(74_132);

  const headers = { accept: "text/csv" };
  const { text } = await owner.call("GET", `/orgs/${school.orgId}/aircraft/${aircraftId}/journey-log`, { headers });
  const [names = "", ...lines] = text.trim().split("\r\n");
  expect(lines).toHaveLength(604);
  const at = names.split(",").indexOf("airframe_total_minutes");
  expect(lines.at(-1)?.split(",")[at + 3]).toBeDefined();
  expect(lines.at(-1)).toContain(",74132,");
});

test("sessions are in the log of the simulator, and are no time of an airframe", async () => {
  const school = await newSchool();
  const simulator = await addAircraft(school, "SIM", "FSTD");
  const session = { registration: "SIM", nature: "simulator", minutes: 90, crew: { pic: school.owner.email } };
  await importFlights(school, [{ ...session, off_block_at: "2024-05-01T10:00:00.000Z" }]);
  const { to_date } = await log(school, simulator);
  expect(to_date).toMatchObject({ block_minutes: 90, airframe_minutes: 0 });
});

test("a journey log is for members who may read all flights", async () => {
  const school = await newSchool();
  expectStatus(403, await school.student.get(`/aircraft/${school.aircraftId}/journey-log`));
  expectStatus(200, await school.instructor.get(`/aircraft/${school.aircraftId}/journey-log`));
  expectStatus(404, await school.owner.get(`/aircraft/${school.student.personId}/journey-log`));
});
