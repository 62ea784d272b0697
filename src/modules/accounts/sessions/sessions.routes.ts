import { Elysia } from "elysia";
import { z } from "zod";
import { toInstant } from "../../../core/clock.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { listPage } from "../../../http/list-page.ts";
import { paging } from "../../../http/query.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { AccountParts } from "../accounts.parts.ts";
import { SignedOut } from "../accounts.schemas.ts";
import { endAllSessions } from "./end-all-sessions.ts";
import { endSession } from "./end-session.ts";
import { findSession, listSessions } from "./sessions.queries.ts";
import { session } from "./sessions.shapes.ts";

const SessionsQuery = z.strictObject({ ...paging });
const SessionRef = z.object({ sessionId: idOf<"session">() });

/** `/auth/sessions`: the caller's sessions. */
export const sessionRoutes = ({ signedIn }: Http, { cookie }: AccountParts) =>
  new Elysia({ name: "accounts.sessions", prefix: "/auth/sessions", tags: ["Authentication"] })
    .use(signedIn)
    .get(
      "",
      async ({ context: { actor, control, clock }, query }) =>
        listPage(query, (query) =>
          control.read((reader) => listSessions(reader, actor, { ...query, now: toInstant(clock.now()) })),
        ),
      {
        query: SessionsQuery,
        response: responses({ 200: page(session.schema) }, 400, 401),
        detail: { summary: "List your sessions", description: "Lists the open sessions, the last used first." },
      },
    )
    .delete(
      "",
      async ({ context, set }) => {
        await endAllSessions(context);
        set.headers["set-cookie"] = cookie.clear();
        return { status: "signed_out" } as const;
      },
      {
        response: responses({ 200: SignedOut }, 401),
        detail: {
          summary: "Sign out everywhere",
          description:
            "Ends every session of the caller, including this one. Their access tokens stop working immediately.",
        },
      },
    )
    .get(
      "/:sessionId",
      async ({ context: { actor, control, clock }, params: { sessionId } }) => {
        const now = toInstant(clock.now());
        return jsonData(await control.read((reader) => findSession(reader, actor, { sessionId, now })));
      },
      {
        params: SessionRef,
        response: responses({ 200: data(session.schema) }, 401, 404),
        detail: { summary: "Get one of your sessions", description: "404: it has ended, or is another account's." },
      },
    )
    .delete(
      "/:sessionId",
      async ({ context, params: { sessionId }, set }) => {
        await endSession(context, { sessionId });
        if (sessionId === context.actor.sessionId) set.headers["set-cookie"] = cookie.clear();
        return { status: "signed_out" } as const;
      },
      {
        params: SessionRef,
        response: responses({ 200: SignedOut }, 401, 404),
        detail: {
          summary: "Sign out elsewhere",
          description:
            "Ends one of the caller's sessions, and those handed on from it. Their access tokens stop working immediately. 404: also if it has ended.",
        },
      },
    );
