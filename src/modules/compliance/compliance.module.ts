import type { Module } from "../../module.ts";
import { complianceUpdated, medicalExpiring } from "./compliance.events.ts";
import { medicalExpiry } from "./compliance.jobs.ts";
import * as tables from "./compliance.tables.ts";
import { recordRoutes } from "./records/records.routes.ts";
import { recordTypeRoutes } from "./types/types.routes.ts";

export const compliance = {
  capability: "compliance",
  tables: { tenant: tables },
  routes: (http) => [recordTypeRoutes(http), recordRoutes(http)],
  events: [complianceUpdated, medicalExpiring],
  jobs: [medicalExpiry],
  tags: { Compliance: "Documents, ratings and certificates of people and aircraft, and when they expire." },
} satisfies Module;
