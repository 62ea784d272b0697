import { Elysia } from "elysia";
import { notFound } from "../../core/errors.ts";
import type { Http } from "../../http/http.ts";
import { AnyQuery } from "../../http/query.ts";
import { responses, textResponse } from "../../http/responses.ts";
import { debugAccess, requireDebugAccess } from "./debug-access.ts";
import type { Metrics } from "./metrics.ts";

/** `/metrics`. @param metrics undefined if the operator has not enabled them */
export const metricsRoutes = ({ maybeSignedIn }: Http, metrics: Metrics | undefined) =>
  new Elysia({ name: "metrics", tags: ["Operational"] })
    .derive(() => {
      // Before the gate: a disabled route answers 404 even to an invalid token.
      if (metrics === undefined) throw notFound();
    })
    .use(maybeSignedIn)
    .get(
      "/metrics",
      async ({ context, client, request }) => {
        await requireDebugAccess(context, client, request);
        if (metrics === undefined) throw notFound();
        return new Response(await metrics.text(), { headers: { "content-type": "text/plain; version=0.0.4" } });
      },
      {
        query: AnyQuery,
        response: responses({ 200: textResponse("text/plain") }, 401, 404),
        detail: {
          summary: "Metrics",
          description: `In the text format of Prometheus. Contains the ids of organizations with unfinished deliveries. ${debugAccess}`,
        },
      },
    );
