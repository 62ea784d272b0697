/**
 * Every field of a request is stored, and every field of a PATCH is changed: a field that a verb omits would get a 200 and
 * be lost.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { z } from "zod";
import { AircraftChange } from "../../src/modules/fleet/fleet.schemas.ts";
import { FlightChange } from "../../src/modules/flights/flights.schemas.ts";
import { OrganizationPatch } from "../../src/modules/organizations/organizations.schemas.ts";
import { PersonChange } from "../../src/modules/people/people.schemas.ts";
import { expectStatus, newSchool } from "../support/school.ts";
import { newStage, prepare, routeNamed, routeNames, type Stage } from "../support/stage.ts";

const routes = await routeNames();

/** Collections of an organization with a POST whose response shows the resource. */
const resources = routes.flatMap((name) => {
  // Built in the background: its own tests read it.
  if (name === "POST /orgs/{orgId}/evidence-packs") return [];
  const [, collection = ""] = /^POST (\/orgs\/\{orgId\}\/.*[^}])$/.exec(name) ?? [];
  const shown = routes.some((one) => one.replace(/\/\{\w+\}$/, "") === `GET ${collection}` && one.endsWith("}"));
  return collection !== "" && shown ? [collection] : [];
});

/** Fields whose values differ between request and response. */
const veiled: Record<string, readonly string[]> = {
  "/orgs/{orgId}/integrations/webhook-endpoints": ["headers"], // their values are secrets
  // By default the caller, and now.
  "/orgs/{orgId}/training/enrollments/{enrollmentId}/ground-sessions": ["instructor_id"],
  "/orgs/{orgId}/training/signoffs": ["instructor_id", "signed_at"],
  "/orgs/{orgId}/training/lesson-records": ["instructor_id", "signed_at", "grades"], // with the names of the items
  "/orgs/{orgId}/training/enrollments/{enrollmentId}/exams": ["passed"], // by the percent
  "/orgs/{orgId}/finance/invoices": ["lines"], // with those of the charges
  "/orgs/{orgId}/finance/payments": ["received_on"], // by default today
};

/** Fails when a schema has a field that the test does not change. Add a new field to the test's body. */
function expectWhole(schema: z.ZodObject, body: object, ...elsewhere: string[]) {
  expect(Object.keys(body).concat(elsewhere).sort()).toEqual(Object.keys(schema.shape).sort());
}

test("a PATCH changes every field of an aircraft", async () => {
  const school = await newSchool();
  const body = {
    registration: "D-EFGH",
    model: "Piper PA-28-161",
    icao_type: "P28A",
    serial_number: "2816042",
    class: "MEP",
    mtom_kg: 1055,
    seats: 3,
    multi_pilot: true,
    hourly_rate_minor: 20_500,
    billing_basis: "tacho",
  };
  expectWhole(AircraftChange, body, "status", "counters"); // these have their own tests
  const answer = expectStatus(200, await school.owner.patch(`/aircraft/${school.aircraftId}`, body));
  expect(answer.body.data).toMatchObject(body);
});

test("a PATCH changes every field of a person", async () => {
  const school = await newSchool();
  const accountant = await school.join(["accountant"], "Uta User");
  await school.owner.patch(`/people/${accountant.personId}`, { user_id: null });
  const body = {
    name: "Samira Student",
    email: "samira@example.com",
    types: ["instructor", "pilot"],
    date_of_birth: "1999-12-31",
    licence_number: "DE.FCL.4711",
    licence_authority: "LBA",
    phone: "+49 171 1234567",
    street: "Am Flugplatz 1\nHalle 3",
    postcode: "63329",
    city: "Egelsbach",
    country: "DE",
    emergency_name: "Jonas Berg",
    emergency_phone: "+49 171 7654321",
    emergency_relation: "Husband",
    ratings: ["SEP"],
    user_id: accountant.userId,
    restricted_instructor: true,
    supervisor_id: school.instructor.personId,
    receives_mails: false,
    language: "de",
  };
  expectWhole(PersonChange, body, "status"); // has its own tests
  const answer = expectStatus(200, await school.owner.patch(`/people/${school.student.personId}`, body));
  expect(answer.body.data).toMatchObject(body);
});

test("a PATCH changes every field of a flight", async () => {
  const school = await newSchool();
  const flight = await school.draftFlight(school.student);
  const other = expectStatus(
    201,
    await school.owner.post("/aircraft", { registration: "D-EIJK", model: "DA40", class: "SEP" }),
  );
  const figures = {
    off_block_at: "2026-06-13T07:00:00.000Z",
    take_off_at: "2026-06-13T07:10:00.000Z",
    landing_at: "2026-06-13T08:50:00.000Z",
    on_block_at: "2026-06-13T09:00:00.000Z",
    departure: "EDMA",
    arrival: "LOAV",
    day_landings: 2,
    night_landings: 3,
    night_minutes: 4,
    ifr_minutes: 5,
    cross_country_km: 120,
    full_stops_elsewhere: 1,
    hobbs_start: "1.00",
    hobbs_end: "3.00",
    tacho_start: "2.00",
    tacho_end: "3.50",
    nature: "training",
    passengers: 1,
    fuel_uplift_litres: "60.00",
    oil_uplift_litres: "0.50",
    lesson: "9 turning",
    remarks: "Gusty.",
    workshop_remarks: "The left brake feels soft.",
  };
  const crew = [{ person_id: school.instructor.personId, function: "pic" }];
  const body = { aircraft_id: other.body.data.id, crew, ...figures };
  expectWhole(FlightChange, body, "lesson_id", "supervisor_id"); // needs an enrollment; of a solo
  const answer = expectStatus(200, await school.student.patch(`/flights/${flight.id}`, body));
  expect(answer.body.data).toMatchObject({ ...figures, aircraft: { id: other.body.data.id }, crew });
  const alone = [{ person_id: school.student.personId, function: "solo" }];
  const solo = { crew: alone, passengers: 0, supervisor_id: school.instructor.personId };
  expect(expectStatus(200, await school.student.patch(`/flights/${flight.id}`, solo)).body.data).toMatchObject(solo);
});

test("a PATCH changes every field of an organization", async () => {
  const school = await newSchool();
  const body = {
    name: "Windy Hill",
    kind: "dto",
    approval_number: "DE.DTO.7",
    authority: "LBA",
    home_icao: "EDFE",
    time_zone: "Europe/Vienna",
    currency: "CHF",
  };
  expectWhole(OrganizationPatch, body);
  const answer = expectStatus(200, await school.owner.call("PATCH", `/orgs/${school.orgId}`, { body }));
  expect(answer.body.data).toMatchObject(body);
});

describe("a resource that a POST creates can be read", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await newStage();
  });
  afterAll(() => stage.installation.close());

  const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

  test.each(resources)("POST %s", async (collection) => {
    const { owner } = stage.school;
    const make = async () => {
      const { path, body, query = "" } = await prepare(routeNamed(stage, `POST ${collection}`), stage.school);
      if (!isRecord(body)) throw new Error(`No scenery has a body for POST ${collection}: add it to bodies.`);
      return { path, body, query };
    };
    const { path, body, query } = await make();
    const posted = (await owner.call("POST", `${path}?${query}`, { body })).body.data;
    const shown = expectStatus(200, await owner.call("GET", `${path}/${posted.id}`)).body.data;
    expect(posted).toMatchObject(shown);
    if (body instanceof Blob) return; // a file, whose fields are not in the body
    const kept = Object.keys(body).filter((name) => name in shown && !veiled[collection]?.includes(name));
    expect(kept).not.toBeEmpty();
    for (const name of kept) expect({ [name]: shown[name] }).toMatchObject({ [name]: body[name] });

    // The response can be posted again, except for fields that must be unique or whose time has passed.
    const { path: below, body: next } = await make();
    const own = kept.filter((name) => next[name] === body[name]);
    const again = { ...next, ...Object.fromEntries(own.map((name) => [name, shown[name]])) };
    expect((await owner.call("POST", below, { body: again })).status).toBeOneOf([201, 202, 409]);
  });
});
