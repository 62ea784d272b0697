/** Work orders in the search. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { bestMatches } from "../../../storage/best-matches.ts";
import type { Finder } from "../../../storage/finder.ts";
import { field, shape } from "../../../storage/shape.ts";
import { aircraft } from "../../fleet/fleet.shapes.ts";
import { workOrderWords } from "./work-orders.queries.ts";
import { workOrder } from "./work-orders.shapes.ts";

const { id, number, title, status, aircraft_id, created_at, completed_at } = workOrder.fields;

const found = shape("FoundWorkOrder", {
  kind: field(z.literal("work_order"), sql`'work_order'`),
  id,
  number,
  title,
  status,
  aircraft_id,
  registration: aircraft.fields.registration,
  created_at,
  completed_at,
});

const matches = bestMatches({ searched: workOrderWords, shape: found });

export const workOrderFinder: Finder = {
  permissions: ["maintenance:read"],
  found: found.schema,
  find: ({ tenant }, search) => tenant.read((reader) => matches(reader, search)),
};
