import { Elysia } from "elysia";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { listPage } from "../../http/list-page.ts";
import { cursorPage, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { instructors, students, utilization } from "./make-reports.ts";
import { InstructorReport, ReportQuery, StudentReport, Utilization } from "./reports.schemas.ts";

const usual = "Of the last 30 days, or of a period; as JSON, or as CSV.";
const hook = { transform: requires("reports:read"), query: ReportQuery };

/** `/orgs/{orgId}/reports` */
export const reportRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "reports", prefix: "/orgs/:orgId/reports", tags: ["Reports"] })
    .use(session)
    .get("/utilization", ({ context, query }) => listPage(query, (query) => utilization(context, query)), {
      ...hook,
      response: responses({ 200: cursorPage(Utilization) }, 400, 401, 404),
      detail: {
        summary: "Report how aircraft are used",
        description: `Hours booked and flown against the bookable hours, no-shows, and cancellations by reason. ${usual}`,
      },
    })
    .get("/instructors", ({ context, query }) => listPage(query, (query) => instructors(context, query)), {
      ...hook,
      response: responses({ 200: cursorPage(InstructorReport) }, 400, 401, 404),
      detail: {
        summary: "Report how instructors are booked",
        description: `Hours booked, flown and idle. ${usual}`,
      },
    })
    .get("/students", ({ context, query }) => listPage(query, (query) => students(context, query)), {
      ...hook,
      response: responses({ 200: cursorPage(StudentReport) }, 400, 401, 404),
      detail: {
        summary: "Report the progress of students",
        description: `Who has not flown for 21 days, and the hours to the test against the minimum: a row for each active enrollment. ${usual}`,
      },
    });
