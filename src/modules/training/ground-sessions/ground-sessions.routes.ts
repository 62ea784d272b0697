import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { requireEnrollment } from "../enrollments/enrollments.queries.ts";
import { groundSessionEntity, listGroundSessions } from "./ground-sessions.queries.ts";
import { GroundSessionListQuery, NewGroundSession, VoidReason } from "./ground-sessions.schemas.ts";
import { recordGroundSession, voidGroundSession } from "./ground-sessions.verbs.ts";

/** `/orgs/{orgId}/training/enrollments/{enrollmentId}/ground-sessions` */
export const groundSessionRoutes = (http: Http): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Training",
    names: ["a ground session", "the ground sessions of an enrollment"],
    path: "training/enrollments/:enrollmentId/ground-sessions",
    item: "/:groundSessionId",
    entity: groundSessionEntity,
    reads: ["training:read", "training:read_own"],
    writes: "training:record",
    list: {
      description: "Briefings and theory lessons. The newest entry first.",
      query: GroundSessionListQuery,
      async read(reader, query, { enrollmentId, actor }) {
        await requireEnrollment(reader, enrollmentId, actor);
        return listGroundSessions(reader, { ...query, enrollment_id: enrollmentId });
      },
    },
    get: {
      async read(reader, { actor, ...ref }) {
        await requireEnrollment(reader, ref.enrollmentId, actor);
        return groundSessionEntity.find(reader, ref);
      },
    },
    add: {
      summary: "Record a ground session",
      description: "A briefing or a theory lesson without a flight. Its time counts as `ground_minutes`.",
      body: NewGroundSession,
      verb: recordGroundSession,
      refuses: ["own_training", "person_archived", "wrong_status"],
    },
    actions: {
      void: {
        summary: "Void a ground session",
        description:
          "It no longer counts. Requires a reason. An instructor voids their own, and not after the training has ended.",
        body: VoidReason,
        verb: voidGroundSession,
        refuses: ["own_training", "wrong_status"],
      },
    },
  });
