import type { Http } from "../../http/http.ts";
import { publicList } from "../../http/public-list.ts";
import { listPublicPilots } from "./people.queries.ts";
import { PublicPilotListQuery } from "./people.schemas.ts";
import { publicPilot } from "./people.shapes.ts";

/** `/api/v1/public/pilots` */
export const publicPilotRoutes = (http: Http) =>
  publicList(http, {
    path: "pilots",
    scope: "public.pilots:read",
    query: PublicPilotListQuery,
    item: publicPilot.schema,
    read: listPublicPilots,
    summary: "List pilots",
    description:
      "Students, pilots and instructors, by name, without archived ones. With `updated_since`, those added or changed since then, in the order of the changes, and those who left the list since then: their `status` is `archived`, or their `types` are others.",
  });
