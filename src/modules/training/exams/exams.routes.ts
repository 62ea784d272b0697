import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { requireEnrollment } from "../enrollments/enrollments.queries.ts";
import { VoidReason } from "../ground-sessions/ground-sessions.schemas.ts";
import { examEntity, listExams } from "./exams.queries.ts";
import { ExamListQuery, NewExam } from "./exams.schemas.ts";
import { recordExam, voidExam } from "./exams.verbs.ts";

/** `/orgs/{orgId}/training/enrollments/{enrollmentId}/exams` */
export const examRoutes = (http: Http): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Training",
    names: ["an exam", "the exams of an enrollment"],
    path: "training/enrollments/:enrollmentId/exams",
    item: "/:examId",
    entity: examEntity,
    reads: ["training:read", "training:read_own"],
    writes: "training:record",
    list: {
      description: "Theory exams and skill tests, in the order in which they were taken.",
      query: ExamListQuery,
      async read(reader, query, { enrollmentId, actor }) {
        await requireEnrollment(reader, enrollmentId, actor);
        return listExams(reader, { ...query, enrollment_id: enrollmentId });
      },
    },
    get: {
      async read(reader, { actor, ...ref }) {
        await requireEnrollment(reader, ref.enrollmentId, actor);
        return examEntity.find(reader, ref);
      },
    },
    add: {
      summary: "Record an exam",
      description:
        "A theory exam of one subject, which is passed by its percent; or the skill test, before which nothing else may be missing. A subject is taken once a day, and once in a sitting, which is at most ten consecutive days.",
      body: NewExam,
      verb: recordExam,
      refuses: ["not_ready_for_test", "own_training", "person_archived", "subject_passed", "wrong_status"],
    },
    actions: {
      void: {
        summary: "Void an exam",
        description:
          "It no longer counts. Requires a reason. Only who recorded it does this, or a member with `training:manage`, and not after the training has ended.",
        body: VoidReason,
        verb: voidExam,
        refuses: ["own_training", "wrong_status"],
      },
    },
  });
