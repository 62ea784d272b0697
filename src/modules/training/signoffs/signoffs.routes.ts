import type { Http } from "../../../http/http.ts";
import { publicList } from "../../../http/public-list.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { VoidReason } from "../ground-sessions/ground-sessions.schemas.ts";
import { recordSignoff } from "./record-signoff.ts";
import { findSignoff, listPublicSignoffs, listSignoffs, signoffEntity } from "./signoffs.queries.ts";
import { NewSignoff, PublicSignoffListQuery, SignoffListQuery } from "./signoffs.schemas.ts";
import { publicSignoff } from "./signoffs.shapes.ts";
import { acknowledgeSignoff, voidSignoff } from "./signoffs.verbs.ts";

/** `/orgs/{orgId}/training/signoffs` */
export const signoffRoutes = (http: Http): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Training",
    names: ["a signoff", "signoffs"],
    path: "training/signoffs",
    item: "/:signoffId",
    entity: signoffEntity,
    reads: ["training:read", "training:read_own"],
    writes: "training:record",
    list: {
      description: "The newest first by `signed_at`, which `from` and `to` bound. Students see their own.",
      query: SignoffListQuery,
      read: (reader, query, { actor }) => listSignoffs(reader, actor, query),
    },
    add: {
      summary: "Sign off an item for a student",
      description:
        "With a grade of the item's scale. The instructor must have a valid certificate on the day of `signed_at` and on the day of the flight, unless the lesson is on the ground. For a solo lesson, the student must be 16 and have the medical that the licence aimed at needs, on the day of the flight, or of `signed_at` if no flight is named. An instructor with restricted privileges signs off neither the first solo nor the first solo cross-country flight, which the syllabus marks by `milestone`. In a syllabus for a licence, one that is not marked may be any item of a solo lesson; only a lesson that requires another solo is not the first solo. A flight must be one of the item's lesson. The newest signoff of an item counts, unless its flight was rejected or reversed. Emits `training.signoff.recorded`.",
      body: NewSignoff,
      verb: recordSignoff,
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
      description: "Returns 404 also for a signoff that the caller may not see.",
      read: (reader, { signoffId, actor }) => findSignoff(reader, signoffId, actor),
    },
    actions: {
      acknowledge: {
        summary: "Acknowledge a signoff",
        description: "The student has read it. Only the student can do this.",
        permission: "training:read_own",
        verb: acknowledgeSignoff,
        refuses: ["link_unconfirmed", "not_the_student", "wrong_status"],
      },
      void: {
        summary: "Void a signoff",
        description:
          "It no longer counts, and stays readable. Requires a reason. An instructor voids their own, and not after the training has ended.",
        body: VoidReason,
        verb: voidSignoff,
        refuses: ["own_training", "wrong_status"],
      },
    },
  });

/** `/api/v1/public/training/signoffs` */
export const publicSignoffRoutes = (http: Http) =>
  publicList(http, {
    path: "training/signoffs",
    scope: "public.signoffs:read",
    query: PublicSignoffListQuery,
    item: publicSignoff.schema,
    read: listPublicSignoffs,
    summary: "List training signoffs",
    description:
      "The newest first by `signed_at`, which `from` and `to` bound. With those that were voided: see `status`. With `updated_since`, those recorded or changed since then, in the order of the changes.",
  });
