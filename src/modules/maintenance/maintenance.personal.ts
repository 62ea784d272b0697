import { sql } from "drizzle-orm";
import { allRows, type PersonalData } from "../../storage/personal-data.ts";
import { eraseFromTexts } from "../../storage/personal-texts.ts";
import { draftsOnlyOf } from "../flights/flights.queries.ts";
import { defects, maintenanceItems, workOrderHours, workOrderItems, workOrders } from "./maintenance.tables.ts";
import { hoursBy, releasesBy, workOrderEntity } from "./work-orders/work-orders.queries.ts";

/** The signature of a release stays, with the id of its person: it belongs to the aircraft's records (ML.A.305). */
export const maintenancePersonal: PersonalData = {
  lists: {
    maintenance_releases: (tenant, { personId }) =>
      allRows(tenant, (reader, page) => releasesBy(reader, personId, page)),
    maintenance_hours: (tenant, { personId }) => allRows(tenant, (reader, page) => hoursBy(reader, personId, page)),
  },
  async erase(tx, subject) {
    await tx
      .update(defects)
      .set({ flight_id: null })
      .where(sql`${defects.flight_id} in ${draftsOnlyOf(subject.personId)}`);
    await eraseFromTexts(tx, maintenanceItems, ["name", "notes", "last_done_note"], subject);
    await eraseFromTexts(tx, defects, ["description", "deferral_reason"], subject);
    await eraseFromTexts(tx, workOrders, ["title", "findings", "parts", "notes"], subject, workOrderEntity);
    await eraseFromTexts(tx, workOrderHours, ["worked_by"], subject);
    await eraseFromTexts(tx, workOrderItems, ["name"], subject);
  },
};
