import type { Module } from "../../module.ts";
import { complianceUpdated, medicalExpiring } from "./compliance.events.ts";
import { complianceFollows } from "./compliance.follows.ts";
import { complianceEvaluation, medicalExpiry } from "./compliance.jobs.ts";
import { compliancePersonal } from "./compliance.personal.ts";
import * as tables from "./compliance.tables.ts";
import { complianceChanges } from "./compliance-changes.queries.ts";
import { evaluationRoutes, internalEvaluationRoutes } from "./evaluations/evaluations.routes.ts";
import { expiryRoutes } from "./expiries/expiries.routes.ts";
import { requirementMatrixRoutes } from "./matrix/matrix.routes.ts";
import { recordRoutes, suggestionRoute } from "./records/records.routes.ts";
import { requirementDryRunRoutes } from "./requirements/dry-run.routes.ts";
import { requirementRoutes } from "./requirements/requirements.routes.ts";
import { publicComplianceRoutes } from "./summary/public.routes.ts";
import { recordTypeRoutes } from "./types/types.routes.ts";

export const compliance = {
  capability: "compliance",
  tables: { tenant: tables },
  routes: (http, { config }) => [
    recordTypeRoutes(http),
    requirementRoutes(http),
    requirementDryRunRoutes(http),
    recordRoutes(http),
    suggestionRoute(http),
    evaluationRoutes(http),
    expiryRoutes(http),
    requirementMatrixRoutes(http),
    ...(config.env === "development" ? [internalEvaluationRoutes(http)] : []),
    publicComplianceRoutes(http),
  ],
  events: [complianceUpdated, medicalExpiring],
  jobs: [complianceEvaluation, medicalExpiry],
  follows: complianceFollows,
  personal: compliancePersonal,
  changes: complianceChanges,
  tags: { Compliance: "Documents, ratings and certificates of people and aircraft, and when they expire." },
} satisfies Module<{ config: { env: string } }>;
