/** Sets of maintenance items that many aircraft need. Figures are usual ones: the maker's and the program's decide. */
import type { z } from "zod";
import type { lastDone, NewItem } from "../items/items.schemas.ts";

type TemplateItem = Omit<z.input<typeof NewItem>, "aircraft_id" | keyof typeof lastDone>;

export interface Template {
  key: string;
  name: string;
  items: readonly TemplateItem[];
}

/** One month or 10 hours late, whichever is first (ML.A.302). */
const inspection: TemplateItem = {
  name: "100-hour or annual inspection",
  critical: true,
  interval_hours: "100.00",
  interval_months: 12,
  tolerance_hours: "10.00",
  tolerance_months: 1,
};
const annual: TemplateItem = {
  name: "Annual inspection",
  critical: true,
  interval_months: 12,
  tolerance_months: 1,
};
const oil: TemplateItem = { name: "50-hour oil change", interval_hours: "50.00", tolerance_hours: "5.00" };
const engine: TemplateItem = {
  name: "Engine overhaul",
  interval_hours: "2000.00",
  interval_months: 144,
  upcoming_hours: "100.00",
  upcoming_days: 180,
};
const propeller: TemplateItem = {
  name: "Propeller overhaul",
  interval_hours: "2000.00",
  interval_months: 72,
  upcoming_hours: "100.00",
  upcoming_days: 180,
};
const eltBattery: TemplateItem = { name: "ELT battery", critical: true, interval_months: 60, upcoming_days: 60 };
const directives: TemplateItem = { name: "Review of airworthiness directives", interval_months: 12 };
const releaseHook: TemplateItem = {
  name: "Tow release overhaul",
  critical: true,
  interval_landings: 2000,
  interval_months: 48,
  upcoming_landings: 100,
};

export const templates: readonly Template[] = [
  {
    key: "piston-aeroplane",
    name: "Aeroplane with a piston engine",
    items: [oil, inspection, engine, propeller, eltBattery, directives],
  },
  { key: "inspections", name: "Oil change and inspections", items: [oil, inspection] },
  { key: "sailplane", name: "Sailplane", items: [annual, releaseHook, eltBattery, directives] },
];
