import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { enroll } from "./enroll.ts";
import { enrollmentEntity, findEnrollment, listEnrollments } from "./enrollments.queries.ts";
import {
  EnrollmentChange,
  EnrollmentListQuery,
  EnrollmentReason,
  Migration,
  MigrationQuery,
  NewEnrollment,
} from "./enrollments.schemas.ts";
import {
  changeEnrollment,
  completeEnrollment,
  resumeEnrollment,
  suspendEnrollment,
  withdrawEnrollment,
} from "./enrollments.verbs.ts";
import { migrateEnrollment } from "./migrate.ts";
import { MigrationPreview } from "./migration.schemas.ts";
import { previewMigration } from "./preview-migration.ts";

const reads = ["training:read", "training:read_own"] as const;

/** `/orgs/{orgId}/training/enrollments`. @param charges whether programs are charged */
export const enrollmentRoutes = (http: Http, charges: boolean): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Training",
    names: ["an enrollment", "enrollments"],
    path: "training/enrollments",
    item: "/:enrollmentId",
    entity: enrollmentEntity,
    reads,
    writes: "training:manage",
    list: {
      description: "The newest first. Students see their own.",
      query: EnrollmentListQuery,
      read: (reader, query, { actor }) => listEnrollments(reader, actor, query),
    },
    add: {
      summary: "Enroll a student",
      description:
        "In a published revision that has taken effect. A student has one open enrollment in a program. Raises the fee of the program, if there is a rate for it. Nobody credits their own training.",
      body: NewEnrollment,
      verb: enroll(charges),
      refuses: [
        "already_enrolled",
        "own_training",
        "person_archived",
        "person_not_student",
        "program_not_permitted",
        "wrong_status",
      ],
    },
    get: {
      description: "Returns 404 also for an enrollment that the caller may not see.",
      read: (reader, { enrollmentId, actor }) => findEnrollment(reader, enrollmentId, actor),
    },
    change: {
      description:
        "Changes the given fields of an enrollment that has not ended. It begins no later than the training recorded in it. Nobody credits their own training.",
      body: EnrollmentChange,
      verb: changeEnrollment,
      refuses: ["own_training", "training_recorded", "wrong_status"],
    },
    actions: {
      suspend: {
        summary: "Suspend an enrollment",
        description: "Flights can't name its lessons until it is resumed. Requires a reason.",
        body: EnrollmentReason,
        verb: suspendEnrollment,
        refuses: ["wrong_status"],
      },
      resume: {
        summary: "Resume a suspended enrollment",
        description: "It is active again.",
        verb: resumeEnrollment,
        refuses: ["wrong_status"],
      },
      complete: {
        summary: "Complete an enrollment",
        description:
          "Ends it. 409 if anything is missing of the program: see the student's progress. Nobody completes their own training.",
        verb: completeEnrollment,
        refuses: ["own_training", "training_incomplete", "wrong_status"],
      },
      withdraw: {
        summary: "Withdraw a student from a program",
        description: "Ends the enrollment without completion. Requires a reason.",
        body: EnrollmentReason,
        verb: withdrawEnrollment,
        refuses: ["wrong_status"],
      },
      migrate: {
        summary: "Move a student to another revision",
        description:
          "Lessons and items with the same codes are the same, so what was flown and signed off stays. Read the preview first.",
        body: Migration,
        verb: migrateEnrollment,
        refuses: ["wrong_status"],
      },
    },
  });

/** `/orgs/{orgId}/training/enrollments/{enrollmentId}/migration-preview` */
export const migrationRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "migration", prefix: "/orgs/:orgId/training/enrollments", tags: ["Training"] }).use(session).get(
    "/:enrollmentId/migration-preview",
    async ({ context, params, query }) => ({
      data: await context.tenant.read((reader) => previewMigration(reader, { ...params, ...query }, context)),
    }),
    {
      transform: requires(...reads),
      params: z.object({ orgId: idOf<"organization">(), enrollmentId: idOf<"enrollment">() }),
      query: MigrationQuery,
      response: responses({ 200: data(MigrationPreview) }, 400, 401, 404, "wrong_status"),
      detail: {
        summary: "Preview a move to another revision",
        description:
          "Which lessons, items and subjects are in both revisions, which are added, and which are dropped; and the exams, scales and minima of both. Of a draft only to members who manage training.",
      },
    },
  );
