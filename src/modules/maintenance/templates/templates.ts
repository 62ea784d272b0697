/** Sets of maintenance items that many aircraft need. Figures are usual ones: the maker's and the program's decide. */
import type { z } from "zod";
import type { Translated } from "../../../core/languages.ts";
import type { lastDone, NewItem } from "../items/items.schemas.ts";

type TemplateItem = Omit<z.input<typeof NewItem>, "aircraft_id" | "name" | keyof typeof lastDone> & {
  name: Translated;
};

export interface Template {
  key: string;
  name: Translated;
  items: readonly TemplateItem[];
}

/** One month or 10 hours late, whichever is first (ML.A.302). */
const inspection: TemplateItem = {
  name: { en: "100-hour or annual inspection", de: "100-Stunden- oder Jahreskontrolle" },
  critical: true,
  interval_hours: "100.00",
  interval_months: 12,
  tolerance_hours: "10.00",
  tolerance_months: 1,
};
const annual: TemplateItem = {
  name: { en: "Annual inspection", de: "Jahreskontrolle" },
  critical: true,
  interval_months: 12,
  tolerance_months: 1,
};
const oil: TemplateItem = {
  name: { en: "50-hour oil change", de: "50-Stunden-Ölwechsel" },
  interval_hours: "50.00",
  tolerance_hours: "5.00",
};
const engine: TemplateItem = {
  name: { en: "Engine overhaul", de: "Grundüberholung des Motors" },
  interval_hours: "2000.00",
  interval_months: 144,
  upcoming_hours: "100.00",
  upcoming_days: 180,
};
const propeller: TemplateItem = {
  name: { en: "Propeller overhaul", de: "Grundüberholung des Propellers" },
  interval_hours: "2000.00",
  interval_months: 72,
  upcoming_hours: "100.00",
  upcoming_days: 180,
};
const eltBattery: TemplateItem = {
  name: { en: "ELT battery", de: "ELT-Batterie" },
  critical: true,
  interval_months: 60,
  upcoming_days: 60,
};
const directives: TemplateItem = {
  name: { en: "Review of airworthiness directives", de: "Prüfung der Lufttüchtigkeitsanweisungen" },
  interval_months: 12,
};
const releaseHook: TemplateItem = {
  name: { en: "Tow release overhaul", de: "Überholung der Schleppkupplung" },
  critical: true,
  interval_landings: 2000,
  interval_months: 48,
  upcoming_landings: 100,
};

export const templates: readonly Template[] = [
  {
    key: "piston-aeroplane",
    name: { en: "Aeroplane with a piston engine", de: "Flugzeug mit Kolbenmotor" },
    items: [oil, inspection, engine, propeller, eltBattery, directives],
  },
  {
    key: "inspections",
    name: { en: "Oil change and inspections", de: "Ölwechsel und Kontrollen" },
    items: [oil, inspection],
  },
  {
    key: "sailplane",
    name: { en: "Sailplane", de: "Segelflugzeug" },
    items: [annual, releaseHook, eltBattery, directives],
  },
];
