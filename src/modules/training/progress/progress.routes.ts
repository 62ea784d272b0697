import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { publicCollection } from "../../../http/public-collection.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { today } from "../../../storage/today.ts";
import { findProgress, listProgress, listStudents } from "./progress.queries.ts";
import { Progress, ProgressListQuery, PublicProgress, StudentProgress } from "./progress.schemas.ts";

/** `/orgs/{orgId}/training/enrollments/{enrollmentId}/progress` */
export const progressRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "progress", prefix: "/orgs/:orgId/training/enrollments", tags: ["Training"] }).use(session).get(
    "/:enrollmentId/progress",
    async ({ context: { tenant, actor, clock }, params }) => ({
      data: await tenant.read((reader) => findProgress(reader, params.enrollmentId, { actor, now: clock.now() })),
    }),
    {
      transform: requires("training:read", "training:read_own"),
      params: z.object({ orgId: idOf<"organization">(), enrollmentId: idOf<"enrollment">() }),
      response: responses({ 200: data(Progress) }, 401, 404),
      detail: {
        summary: "Read the progress of a student",
        description:
          "Computed from approved flights, ground sessions, signoffs and exams, and what is missing of the program.",
      },
    },
  );

/** `/orgs/{orgId}/training/progress` */
export const studentsProgressRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "students' progress", prefix: "/orgs/:orgId/training/progress", tags: ["Training"] })
    .use(session)
    .get(
      "/",
      async ({ context: { tenant, actor, clock }, query }) =>
        listPage(query, (query) => tenant.read((reader) => listStudents(reader, query, { actor, now: clock.now() }))),
      {
        transform: requires("training:read", "training:read_own"),
        query: ProgressListQuery,
        response: responses({ 200: page(StudentProgress) }, 400, 401, 404),
        detail: {
          summary: "List where the students stand",
          description:
            "Of each enrollment that has not ended: percent, hours against the minima, the last lesson, the next ones, and since when it has stalled. In the order in which the students were added. Students see their own.",
        },
      },
    );

/** `/api/v1/public/training-progress` */
export const publicProgressRoutes = (http: Http): RoutePlugin =>
  publicCollection(http, {
    path: "training-progress",
    scope: "public.training:read",
    query: z.strictObject({}),
    item: PublicProgress,
    dateOf: today,
    read: listProgress,
    summary: "List training progress",
    description:
      "Of each enrollment that has not ended, sorted by the students' names: what is done and missing, the student's compliance, and whether the training has stalled.",
  });
