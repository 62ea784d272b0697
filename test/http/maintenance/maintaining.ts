/** What the tests of maintenance share. */
import { expect } from "bun:test";
import { sql } from "drizzle-orm";
import { isId } from "../../../src/core/ids.ts";
import { maintenanceDue } from "../../../src/modules/maintenance/maintenance.jobs.ts";
import type { Tenant } from "../../../src/storage/store.ts";
import type { Installation } from "../../support/installation.ts";
import { bound } from "../../support/jobs.ts";
import { expectStatus, type Member, password, type School } from "../../support/school.ts";

export interface Item {
  id: string;
  name: string;
  status: string;
  past_tolerance: boolean;
  due_on: string | null;
  remaining_hours: string | null;
  remaining_landings: number | null;
  forecast_on: string | null;
  /** Other fields. */
  [field: string]: unknown;
}

/** Adds an item to D-EABC, which has 1234.50 hours on all counters but the tacho (1100.00) and no landings. */
export const addItem = async (school: School, body: object, by: Pick<Member, "post"> = school.owner): Promise<Item> =>
  expectStatus(201, await by.post("/maintenance/items", { aircraft_id: school.aircraftId, name: "Check", ...body }))
    .body.data;

/** Opens a work order for D-EABC. @returns it */
export const openOrder = async ({ owner, aircraftId }: Pick<School, "owner" | "aircraftId">, body: object = {}) =>
  expectStatus(201, await owner.post("/maintenance/work-orders", { aircraft_id: aircraftId, title: "Work", ...body }))
    .body.data;

export const itemOf = async ({ owner }: School, { id }: { id: string }): Promise<Item> =>
  expectStatus(200, await owner.get(`/maintenance/items/${id}`)).body.data;

/** Flies and approves. @returns the flight's id */
export async function fly(school: School, blockMinutes: number, body: object = {}): Promise<string> {
  const { id } = await school.submitFlight(school.student, { blockMinutes, body: { ...body } });
  expectStatus(200, await school.instructor.post(`/flights/${id}/approve`));
  return id;
}

interface Alert {
  alert: string;
  aircraft: { status: string };
  item?: { id: string; status: string };
  work_order?: { id: string; status: string };
}

export function tenantOf({ installation, orgId }: School): Tenant {
  if (!isId<"organization">(orgId)) throw new Error("A school has an id.");
  return installation.storage.tenants.tenant(orgId);
}

/** All `maintenance.alert`s, the oldest first. Not by a request: its token may have expired on the test's clock. */
export async function alertsOf(school: School): Promise<Alert[]> {
  const rows = await tenantOf(school).read((reader) =>
    reader.values<[string]>(sql`select data from events where type = 'maintenance.alert' order by id`),
  );
  return rows.map(([data]) => JSON.parse(data));
}

export const alertNames = async (school: School): Promise<string[]> =>
  (await alertsOf(school)).map(({ alert }) => alert);

/** Signs a member in again, because the access token has expired on the test's clock. */
export async function signedIn(
  school: School,
  { email }: Member = school.owner,
): Promise<Pick<Member, "post" | "get" | "patch">> {
  const { installation, orgId } = school;
  const { access_token: token } = expectStatus(
    200,
    await installation.call("POST", "/auth/login", { body: { email, password } }),
  ).body;
  return {
    get: (path) => installation.call("GET", `/orgs/${orgId}${path}`, { token }),
    post: (path, body) => installation.call("POST", `/orgs/${orgId}${path}`, { token, body }),
    patch: (path, body) => installation.call("PATCH", `/orgs/${orgId}${path}`, { token, body }),
  };
}

/** Returns the job `maintenance-due` of the school's installation, run at the time of its clock. */
export function maintenanceDueOf({ installation: { clock, storage } }: School<Installation>) {
  const { control, tenants } = storage;
  const log = { error: (details: object) => expect(details).toEqual({}) };
  const services = { control, tenant: tenants.tenant.bind(tenants), clock, log, settings: { eventRetentionDays: 30 } };
  return () => bound(maintenanceDue, services).run(clock.now());
}
