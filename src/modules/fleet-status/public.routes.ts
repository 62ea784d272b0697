import { z } from "zod";
import type { Http } from "../../http/http.ts";
import { publicCollection } from "../../http/public-collection.ts";
import { listPublicFleet } from "./public-fleet.queries.ts";
import { publicAircraft } from "./public-fleet.shapes.ts";

/** `/api/v1/public/fleet` */
export const publicFleetRoutes = (http: Http) =>
  publicCollection(http, {
    path: "fleet",
    scope: "public.fleet:read",
    query: z.strictObject({}),
    item: publicAircraft.schema,
    read: listPublicFleet,
    summary: "List aircraft",
    description:
      "With their counters, and with counts of their maintenance items and work orders. Without archived aircraft. All aircraft in one response.",
  });
