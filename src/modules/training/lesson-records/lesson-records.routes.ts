import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { VoidReason } from "../ground-sessions/ground-sessions.schemas.ts";
import { findLessonRecord, lessonRecordEntity, listLessonRecords } from "./lesson-records.queries.ts";
import { LessonRecordListQuery, NewLessonRecord } from "./lesson-records.schemas.ts";
import { acknowledgeLesson, voidLesson } from "./lesson-records.verbs.ts";
import { recordLesson } from "./record-lesson.ts";

/** `/orgs/{orgId}/training/lesson-records` */
export const lessonRecordRoutes = (http: Http): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Training",
    names: ["the record of a lesson", "records of lessons"],
    path: "training/lesson-records",
    item: "/:lessonRecordId",
    entity: lessonRecordEntity,
    reads: ["training:read", "training:read_own"],
    writes: "training:record",
    list: {
      description:
        "The newest first by `signed_at`, which `from` and `to` bound. Students see their own, without the notes among instructors.",
      query: LessonRecordListQuery,
      read: (reader, query, { actor }) => listLessonRecords(reader, actor, query),
    },
    add: {
      summary: "Record a lesson with its grades",
      description:
        "A text for the student, one among instructors, and grades of the lesson's items, in one request: each grade is a signoff, with all that it needs, and emits `training.signoff.recorded`.",
      body: NewLessonRecord,
      verb: recordLesson,
      refuses: [
        "instructor_not_qualified",
        "own_training",
        "person_archived",
        "prerequisite_missing",
        "student_not_qualified",
        "wrong_status",
      ],
    },
    get: {
      description:
        "Returns 404 also for one that the caller may not see. Without the notes among instructors to the student.",
      read: (reader, { lessonRecordId, actor }) => findLessonRecord(reader, lessonRecordId, actor),
    },
    actions: {
      acknowledge: {
        summary: "Acknowledge the record of a lesson",
        description: "The student has read it, and acknowledges its grades with it. Only the student can do this.",
        permission: "training:read_own",
        verb: acknowledgeLesson,
        refuses: ["link_unconfirmed", "not_the_student", "wrong_status"],
      },
      void: {
        summary: "Void the record of a lesson",
        description:
          "It no longer counts, nor do its grades. Requires a reason. An instructor voids their own, and not after the training has ended.",
        body: VoidReason,
        verb: voidLesson,
        refuses: ["own_training", "wrong_status"],
      },
    },
  });
