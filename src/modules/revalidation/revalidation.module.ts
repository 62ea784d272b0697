import type { Module } from "../../module.ts";
import { revalidationNotices } from "./revalidation.jobs.ts";
import { revalidationPersonal } from "./revalidation.personal.ts";
import * as tables from "./revalidation.tables.ts";
import { revalidationRoutes } from "./revalidations.routes.ts";

export const revalidation = {
  capability: "compliance",
  tables: { tenant: tables },
  routes: (http) => [revalidationRoutes(http)],
  jobs: [revalidationNotices],
  personal: revalidationPersonal,
} satisfies Module;
