import { Elysia } from "elysia";
import type { UserActor } from "../../core/actor.ts";
import type { Clock } from "../../core/clock.ts";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { createLimiter, type Fields, takeOrRefuse } from "../../http/rate-limit.ts";
import { eventStream, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { Change, ChangesQuery } from "./changes.schemas.ts";
import type { ChangeStreams } from "./streams.ts";

interface Services {
  clock: Clock;
  streams: ChangeStreams;
}

/** `/orgs/{orgId}/changes` */
export function changesRoutes({ session }: Http, { clock, streams }: Services): RoutePlugin {
  // A browser connects again for each window that comes to the front.
  const openings = createLimiter({ clock, limit: 120, windowSeconds: 60 });
  const limited = ({ context: { actor }, set }: { context: { actor: UserActor }; set: Fields }): void =>
    takeOrRefuse(set, "change-streams", openings, actor.userId);
  return new Elysia({ name: "changes", prefix: "/orgs/:orgId/changes", tags: ["Changes"] }).use(session).get(
    "/",
    async ({ context, query: { after }, request, set }) => {
      // Proxies neither keep nor collect it.
      set.headers["cache-control"] = "no-store, no-transform";
      set.headers["x-accel-buffering"] = "no";
      const headers = { "content-type": "text/event-stream" };
      if (request.method === "HEAD") return new Response(null, { headers });
      const body = await streams.open(context, request.headers.get("last-event-id") ?? after);
      return new Response(body, { headers });
    },
    {
      transform: [requires("organization:read"), limited],
      query: ChangesQuery,
      response: responses({ 200: eventStream(Change) }, 400, 401, 404, 429),
      detail: {
        summary: "Follow the changes",
        description:
          "Server-sent events (WHATWG HTML, 9.2), right after each commit: which record changed, of those that the caller may read. Read it with `fetch`, since `EventSource` sends no token. A stream begins with `reset`, or with `Last-Event-ID` or `after` with what was missed since that revision; if that is not known any more, or too much, with `reset`. It ends with the session, the membership, a change of the caller's roles, and the access token: connect again with a new token and the last revision, and wait some seconds longer after each attempt that fails. At most 10 streams are open for each account: the oldest ends when another one is opened.",
      },
    },
  );
}
