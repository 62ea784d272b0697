import { Elysia } from "elysia";
import { z } from "zod";
import type { Capability } from "../../../core/capabilities.ts";
import { requires } from "../../../http/before-validation.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { NewSession, SessionChange } from "../sessions/sessions.schemas.ts";
import { unbookable } from "../sessions/unbookable.values.ts";
import { TriedSession } from "./dry-runs.schemas.ts";
import { tryBooking, tryChange } from "./try-session.ts";

const Ref = z.object({ orgId: idOf<"organization">(), sessionId: idOf<"session">() });

/** `/orgs/{orgId}/planning/sessions/dry-run` and `/orgs/{orgId}/planning/sessions/{sessionId}/dry-run` */
export const dryRunRoutes = ({ session }: Http, capabilities: ReadonlySet<Capability>): RoutePlugin => {
  const options = { charges: capabilities.has("finance") };
  return new Elysia({ name: "planning dry runs", prefix: "/orgs/:orgId/planning/sessions", tags: ["Planning"] })
    .use(session)
    .post("/dry-run", async ({ context, body }) => ({ data: await tryBooking(context, body, options) }), {
      transform: requires("planning:book", "planning:manage"),
      body: NewSession,
      response: responses({ 200: data(TriedSession) }, 400, 401, 404, ...unbookable),
      detail: {
        operationId: "tryBookingSession",
        summary: "Try to book a session",
        description:
          "Books nothing. Refuses what the booking would refuse, with the same error; otherwise returns the session that would be booked, what warns, and what it costs.",
      },
    })
    .post(
      "/:sessionId/dry-run",
      async ({ context, params, body }) => ({ data: await tryChange(context, { ...params, change: body }, options) }),
      {
        transform: requires("planning:book", "planning:manage"),
        params: Ref,
        body: SessionChange,
        response: responses({ 200: data(TriedSession) }, 400, 401, 404, ...unbookable, "wrong_status"),
        detail: {
          operationId: "tryChangingSession",
          summary: "Try to change or move a session",
          description: "Changes nothing. As the dry run of a booking, for a move, a stretch, or another change.",
        },
      },
    );
};
