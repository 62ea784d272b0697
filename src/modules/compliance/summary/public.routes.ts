import { z } from "zod";
import type { Http } from "../../../http/http.ts";
import { publicCollection } from "../../../http/public-collection.ts";
import { integerQuery } from "../../../http/query.ts";
import { today } from "../../../storage/today.ts";
import { complianceSummary, summaryRow } from "./summary.queries.ts";

/** `/api/v1/public/compliance` */
export const publicComplianceRoutes = (http: Http) =>
  publicCollection(http, {
    path: "compliance",
    scope: "public.compliance:read",
    query: z.strictObject({ soon_days: integerQuery(0, 365, 30, "The days within which a record expires soon.") }),
    item: summaryRow,
    dateOf: today,
    read: complianceSummary,
    summary: "Summarize compliance",
    description:
      "For each type of record, how many people or aircraft have a valid one, today where the organization is. Without archived ones, and without names.",
  });
