import { Elysia } from "elysia";
import { notFound } from "../../core/errors.ts";
import type { Http } from "../../http/http.ts";
import { responses, textResponse } from "../../http/responses.ts";
import { requireMayLook, whoMayLook } from "./may-look.ts";
import type { Metrics } from "./metrics.ts";

/** `/metrics`. @param metrics undefined where the operator has not switched them on */
export const metricsRoutes = ({ maybeSignedIn }: Http, metrics: Metrics | undefined) =>
  new Elysia({ name: "metrics", tags: ["Operational"] })
    .derive(() => {
      // Before the door: where it is switched off, not even a bad token has another answer.
      if (metrics === undefined) throw notFound();
    })
    .use(maybeSignedIn)
    .get(
      "/metrics",
      async ({ context, client, request }) => {
        await requireMayLook(context, client, request);
        if (metrics === undefined) throw notFound();
        return new Response(await metrics.text(), { headers: { "content-type": "text/plain; version=0.0.4" } });
      },
      {
        response: responses({ 200: textResponse("text/plain") }, 401, 404),
        detail: {
          summary: "Metrics",
          description: `In the text format of Prometheus. Organizations appear by their ids, and only while they have something to deliver. ${whoMayLook}`,
        },
      },
    );
