import type { Http } from "../../../http/http.ts";
import { publicList } from "../../../http/public-list.ts";
import { publicResource } from "../../../http/public-resource.ts";
import { findPublicSession, listPublicSessions } from "./sessions.queries.ts";
import { PublicSessionListQuery, PublicSessionRef } from "./sessions.schemas.ts";
import { publicSession } from "./sessions.shapes.ts";

const scope = "public.planning:read";

/** `/api/v1/public/planning/sessions` */
export const publicSessionRoutes = (http: Http) =>
  publicList(http, {
    path: "planning/sessions",
    scope,
    query: PublicSessionListQuery,
    item: publicSession.schema,
    read: listPublicSessions,
    summary: "List planning sessions",
    description:
      "The earliest start first, with those that were cancelled. `from` and `to` bound the start. With `updated_since`, those added or changed since then, in the order of the changes.",
  });

/** `/api/v1/public/planning/sessions/{sessionId}` */
export const publicSessionRoute = (http: Http) =>
  publicResource(http, {
    path: "planning/sessions/:sessionId",
    scope,
    ref: PublicSessionRef,
    schema: publicSession.schema,
    read: findPublicSession,
    summary: "Get a planning session",
    description: "With all that it takes up.",
  });
