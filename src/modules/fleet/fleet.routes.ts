import { Elysia } from "elysia";
import { authorize } from "../../core/actor.ts";
import type { Http } from "../../http/http.ts";
import { jsonData, jsonText } from "../../http/json-text.ts";
import { data, page, responses } from "../../http/responses.ts";
import { createAircraft } from "./create-aircraft.ts";
import { findAircraft, listAircraft } from "./fleet.queries.ts";
import { AircraftChange, AircraftListQuery, AircraftRef, NewAircraft } from "./fleet.schemas.ts";
import { aircraft } from "./fleet.shapes.ts";
import { updateAircraft } from "./update-aircraft.ts";

const One = data(aircraft.schema);
const Many = page(aircraft.schema);

/** `/orgs/{orgId}/aircraft` */
export const fleetRoutes = ({ session }: Http) =>
  new Elysia({ name: "fleet", prefix: "/orgs/:orgId/aircraft", tags: ["Fleet"] })
    .use(session)
    .post(
      "/",
      async ({ context, body, set }) => {
        set.status = 201;
        return jsonData(await createAircraft(context, body));
      },
      {
        body: NewAircraft,
        response: responses({ 201: One }, 400, 401, 404, "registration_taken"),
        detail: {
          summary: "Add an aircraft",
          description: "Its counters start at the readings given. 409 when another aircraft has the registration.",
        },
      },
    )
    .get(
      "/",
      async ({ context, query }) => {
        authorize(context.actor, "aircraft:read");
        return jsonText(await context.tenant.read((reader) => listAircraft(reader, query)));
      },
      {
        query: AircraftListQuery,
        response: responses({ 200: Many }, 400, 401, 404),
        detail: { summary: "List aircraft", description: "The fleet, archived aircraft included, by registration." },
      },
    )
    .get(
      "/:aircraftId",
      async ({ context, params }) => {
        authorize(context.actor, "aircraft:read");
        return jsonData(await context.tenant.read((reader) => findAircraft(reader, params.aircraftId)));
      },
      {
        params: AircraftRef,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: "Get an aircraft", description: "One aircraft, with its counters as they are now." },
      },
    )
    .patch(
      "/:aircraftId",
      async ({ context, params, body }) =>
        jsonData(await updateAircraft(context, { aircraftId: params.aircraftId, change: body })),
      {
        params: AircraftRef,
        body: AircraftChange,
        response: responses({ 200: One }, 400, 401, 404, "aircraft_archived", "registration_taken"),
        detail: {
          summary: "Change an aircraft",
          description:
            "Changes what is given. `counters` corrects readings, with a reason; `status` archives. An archived aircraft can't be changed any more: 409.",
        },
      },
    );
