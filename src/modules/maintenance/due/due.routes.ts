import { z } from "zod";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { publicCollection } from "../../../http/public-collection.ts";
import { listDue } from "./due.queries.ts";
import { maintenanceDue } from "./due.shapes.ts";

/** `/api/v1/public/maintenance/due` */
export const dueRoutes = (http: Http) =>
  publicCollection(http, {
    path: "maintenance/due",
    scope: "public.maintenance:read",
    query: z.strictObject({ aircraft_id: idOf<"aircraft">().optional() }),
    item: maintenanceDue.schema,
    read: listDue,
    summary: "List due maintenance by aircraft",
    description:
      "How many maintenance items of each aircraft are overdue, upcoming and ok, and what is to be done first. Without archived aircraft. All aircraft in one response.",
  });
