import { Elysia } from "elysia";
import { z } from "zod";
import { type Clock, toInstant } from "../../../core/clock.ts";
import { contentHash } from "../../../core/content-hash.ts";
import { sha256 } from "../../../core/crypto.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { createLimiter, takeOrRefuse } from "../../../http/rate-limit.ts";
import { fileResponse, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { sendFile } from "../../../http/send-file.ts";
import type { TenantStore } from "../../../storage/tenant-store.ts";
import { readShared } from "../../sharing/read-shared.ts";
import { sharedBy } from "../../sharing/sharing.schemas.ts";
import { feedOf } from "./feed.ts";

const Ref = z.object({
  orgId: idOf<"organization">(),
  calendarId: z
    .string()
    .max(100)
    .meta({ description: "The id of a person, an aircraft, a room or the organization, and `.ics`." }),
});

/** Programs that read calendars may add parameters of their own. */
const Query = z.object(sharedBy);

interface Services {
  clock: Clock;
  tenants: Pick<TenantStore, "tenant">;
}

/** `/public/orgs/{orgId}/calendars/{calendarId}` */
export function calendarRoutes({ open }: Http, { tenants, clock }: Services): RoutePlugin {
  // A program reads a calendar some times an hour.
  const reads = createLimiter({ clock, limit: 60, windowSeconds: 60 });
  return new Elysia({ name: "planning calendars", prefix: "/public/orgs/:orgId/calendars", tags: ["Planning"] })
    .use(open)
    .get(
      "/:calendarId",
      async ({ context: { control }, params, query: { token }, request, set }) => {
        const { orgId } = params;
        takeOrRefuse(set, "calendar-reads", reads, sha256(token));
        const subject_id = params.calendarId.replace(/\.ics$/, "");
        const presented = { orgId, purpose: "calendar", subject_id, token } as const;
        const text = await readShared({ control, clock, tenants }, presented, (tenant) =>
          feedOf({ control, tenant }, subject_id, toInstant(clock.now())),
        );
        const content = Buffer.from(text);
        set.headers["cache-control"] = "private, no-cache";
        const file = { filename: "calendar.ics", mediaType: "text/calendar;charset=utf-8", bytes: content.length };
        return sendFile({ request, set }, { ...file, hash: contentHash(content) }, async function* () {
          yield content;
        });
      },
      {
        params: Ref,
        query: Query,
        response: responses({ 200: fileResponse(["text/calendar"]) }, 400, 404, 429, 503, "organization_suspended"),
        detail: {
          summary: "Subscribe to a calendar",
          description:
            "iCalendar, for programs that show calendars: the sessions of a person, an aircraft, a room or the whole organization, from a month ago to half a year ahead, with those that were cancelled. What has no title is named in the language of the person, or else of the school. Make the token with `POST /orgs/{orgId}/share-tokens`. 404 whatever is wrong with the address; 403 while the organization is suspended. At most 60 requests a minute for each token.",
        },
      },
    );
}
