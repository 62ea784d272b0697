/** Aircraft in the search. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { bestMatches } from "../../storage/best-matches.ts";
import type { Finder } from "../../storage/finder.ts";
import { field, shape } from "../../storage/shape.ts";
import { aircraftWords } from "./fleet.queries.ts";
import { aircraft } from "./fleet.shapes.ts";

const { id, registration, status, model, icao_type } = aircraft.fields;

const found = shape("FoundAircraft", {
  kind: field(z.literal("aircraft"), sql`'aircraft'`),
  id,
  title: field(
    registration.schema.meta({ description: "The registration.", examples: ["D-EABC"] }),
    registration.value,
  ),
  status,
  model,
  icao_type,
});

const matches = bestMatches({ searched: aircraftWords, shape: found });

export const aircraftFinder: Finder = {
  permissions: ["aircraft:read"],
  found: found.schema,
  find: ({ tenant }, search) => tenant.read((reader) => matches(reader, search)),
};
