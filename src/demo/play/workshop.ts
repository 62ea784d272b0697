/** The workshop: an inspection four weeks ago, and work orders and defects that are open. */
import { z } from "zod";
import { type DemoSchool, known } from "../school/demo-school.ts";
import { grounded } from "../school/fleet.ts";

const Reported = z.object({ data: z.object({ id: z.string() }) });

/** What the workshop does in the evening of a day. */
const evenings: Readonly<
  Record<number, (school: DemoSchool, inspections: ReadonlyMap<string, string>) => Promise<void>>
> = {
  "-30": async (school, inspections) => {
    const { api, org, aircraft, account, dateOf } = school;
    const aircraft_id = known(aircraft, "D-EABC");
    const parts = [{ name: "Oil filter", part_number: "CH48110-1", quantity: "1.00" }];
    const worked = (day: number, worked_by: string, minutes: number) => ({
      ...{ worked_by, worked_on: dateOf(day).toString(), minutes },
    });
    const { name } = account("max");
    const hours = [worked(-31, name, 315), worked(-30, name, 120), worked(-30, "Lena Fuchs", 85)];
    const done = { findings: "Both brake linings replaced.", parts, hours };
    const order = { aircraft_id, title: "100-hour inspection", item_ids: [known(inspections, "D-EABC")], ...done };
    const path = `${org}/maintenance/work-orders/${await api.create(`${org}/maintenance/work-orders`, order, account("max"))}`;
    await api.act(`${path}/start`, account("max"));
    const release = {
      by: account("max").name,
      licence_number: "DE.66.4711",
      approval: { kind: "cao", reference: "DE.CAO.0123" },
      maintenance_data: "Cessna 172S maintenance manual, chapter 5-14, revision 25",
    };
    await api.post(`${path}/complete`, z.unknown(), release, account("max"));
  },
  "-9": async ({ api, org, aircraft, account, dateOf }) => {
    const defects = `${org}/aircraft/${known(aircraft, "D-KIWI")}/defects`;
    const defect = { description: "The landing light flickers." };
    const { id } = (await api.post(defects, Reported, defect, account("juergen"))).data;
    const deferral = { reason: "The lamp is ordered. Flights by day only.", until: dateOf(20).toString() };
    await api.post(`${defects}/${id}/defer`, z.unknown(), deferral, account("max"));
  },
  [grounded.since]: async ({ api, org, aircraft, account }) => {
    const defect = { description: "The nose wheel shimmies on landing.", grounding: true };
    await api.create(`${org}/aircraft/${known(aircraft, grounded.registration)}/defects`, defect, account("ines"));
  },
  "-1": async ({ api, org, aircraft, account }) => {
    const aircraft_id = known(aircraft, "D-ELMN");
    const order = { aircraft_id, title: "50-hour oil change", notes: "Ready before Saturday." };
    const id = await api.create(`${org}/maintenance/work-orders`, order, account("max"));
    await api.act(`${org}/maintenance/work-orders/${id}/start`, account("max"));
  },
};

export const workInWorkshop = async (
  school: DemoSchool,
  inspections: ReadonlyMap<string, string>,
  day: number,
): Promise<void> => evenings[day]?.(school, inspections);
