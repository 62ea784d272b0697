import { Elysia } from "elysia";
import { authorize } from "../../core/actor.ts";
import type { Http } from "../../http/http.ts";
import { jsonText } from "../../http/json-text.ts";
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
        return { data: await createAircraft(context, body) };
      },
      {
        body: NewAircraft,
        response: responses({ 201: One }, 400, 401, 404, "registration_taken"),
        detail: {
          summary: "Add an aircraft",
          description: "Its counters start at the given readings. 409: another aircraft has this registration.",
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
        detail: { summary: "List aircraft", description: "Sorted by registration. Includes archived aircraft." },
      },
    )
    .get(
      "/:aircraftId",
      async ({ context, params }) => {
        authorize(context.actor, "aircraft:read");
        return { data: await context.tenant.read((reader) => findAircraft(reader, params.aircraftId)) };
      },
      {
        params: AircraftRef,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: "Get an aircraft", description: "With its current counters." },
      },
    )
    .patch(
      "/:aircraftId",
      async ({ context, params, body }) => ({
        data: await updateAircraft(context, { aircraftId: params.aircraftId, change: body }),
      }),
      {
        params: AircraftRef,
        body: AircraftChange,
        response: responses({ 200: One }, 400, 401, 404, "aircraft_archived", "registration_taken"),
        detail: {
          summary: "Change an aircraft",
          description:
            "Changes the given fields. `counters` corrects readings and needs a reason; `status` archives the aircraft. 409: the aircraft is archived and can't be changed.",
        },
      },
    );
