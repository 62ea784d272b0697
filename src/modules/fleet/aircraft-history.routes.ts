import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../http/before-validation.ts";
import { idOf } from "../../http/fields.ts";
import type { Http } from "../../http/http.ts";
import { listPage } from "../../http/list-page.ts";
import { paging } from "../../http/query.ts";
import { page, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { listCorrections, listGroundings } from "./aircraft-history.queries.ts";
import { counterCorrection, pastGrounding } from "./aircraft-history.shapes.ts";
import { requireAircraft } from "./fleet.queries.ts";

const AircraftRef = z.object({ orgId: idOf<"organization">(), aircraftId: idOf<"aircraft">() });
const HistoryQuery = z.strictObject(paging);
const Groundings = page(pastGrounding.schema);
const Corrections = page(counterCorrection.schema);

/** `/orgs/{orgId}/aircraft/{aircraftId}/groundings` and `…/counter-corrections` */
export const aircraftHistoryRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "aircraft history", prefix: "/orgs/:orgId/aircraft/:aircraftId", tags: ["Fleet"] })
    .use(session)
    .get(
      "/groundings",
      async ({ context, params: { aircraftId }, query }) =>
        listPage(query, (query) =>
          context.tenant.read(async (reader) => {
            await requireAircraft(reader, aircraftId);
            return listGroundings(reader, { ...query, aircraft_id: aircraftId });
          }),
        ),
      {
        transform: requires("aircraft:read"),
        params: AircraftRef,
        query: HistoryQuery,
        response: responses({ 200: Groundings }, 400, 401, 404),
        detail: {
          summary: "List why an aircraft was grounded",
          description: "Newest first, with those that are lifted: when, by whom, and with which note.",
        },
      },
    )
    .get(
      "/counter-corrections",
      async ({ context, params: { aircraftId }, query }) =>
        listPage(query, (query) =>
          context.tenant.read(async (reader) => {
            await requireAircraft(reader, aircraftId);
            return listCorrections(reader, { ...query, aircraft_id: aircraftId });
          }),
        ),
      {
        transform: requires("aircraft:read"),
        params: AircraftRef,
        query: HistoryQuery,
        response: responses({ 200: Corrections }, 400, 401, 404),
        detail: {
          summary: "List the corrections of an aircraft's counters",
          description: "Newest first, with their reasons. What flights added is in the journey log.",
        },
      },
    );
