import { findings } from "../../support/release.ts";
import { next, type Scenery, type StagedSchool } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";

export const maintenanceScenery: Scenery = {
  params: {
    key: async () => "piston-aeroplane",
    workOrderId: async ({ owner, aircraftId }, { name }) => {
      const order = { aircraft_id: aircraftId, title: `Work ${next()}`, findings };
      const { id } = expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data;
      if (/\/(reopen|complete)$/.test(name))
        expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
      return id;
    },
  },
  bodies: {
    "POST /orgs/{orgId}/maintenance/items/{itemId}/done": async () =>
      byDefault(["last_done_on", ...counters.map((name) => `last_done_${name}`)]),
    "POST /orgs/{orgId}/maintenance/work-orders/{workOrderId}/complete": async () =>
      byDefault(["on", "person_id", ...counters]),
    "POST /orgs/{orgId}/maintenance/items": async ({ aircraftId }) => ({ aircraft_id: aircraftId }),
    "POST /orgs/{orgId}/maintenance/work-orders": async (school) => ({
      aircraft_id: school.aircraftId,
      item_ids: [await maintenanceItem(school)],
      parts: [{ name: "Oil filter", part_number: "CH48110-1", quantity: "1.00" }],
    }),
    "PATCH /orgs/{orgId}/maintenance/work-orders/{workOrderId}": async (school) => ({
      item_ids: [await maintenanceItem(school)],
    }),
    "POST /orgs/{orgId}/aircraft/{aircraftId}/defects": async () => ({ flight_id: null }),
    "POST /orgs/{orgId}/maintenance/templates/{key}/apply": async ({ aircraftId }) => ({ aircraft_id: aircraftId }),
  },
};

const counters = ["hobbs", "tacho", "airframe_minutes", "landings"];

/** Omits fields whose example does not fit the school. */
const byDefault = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]));

async function maintenanceItem({ owner, aircraftId }: StagedSchool): Promise<string> {
  const item = { aircraft_id: aircraftId, name: `Check ${next()}`, interval_months: 12, last_done_on: "2026-06-01" };
  return expectStatus(201, await owner.post("/maintenance/items", item)).body.data.id;
}
