import { authorize } from "../../core/actor.ts";
import type { Http } from "../../http/http.ts";
import { resourceRoutes } from "../../http/resource-routes.ts";
import { createAircraft } from "./create-aircraft.ts";
import { findAircraft, listAircraft } from "./fleet.queries.ts";
import { AircraftChange, AircraftListQuery, AircraftRef, NewAircraft } from "./fleet.schemas.ts";
import { aircraft } from "./fleet.shapes.ts";
import { updateAircraft } from "./update-aircraft.ts";

/** `/orgs/{orgId}/aircraft` */
export const fleetRoutes = (http: Http) =>
  resourceRoutes(http, {
    name: "fleet",
    tag: "Fleet",
    path: "aircraft",
    item: "/:aircraftId",
    ref: AircraftRef,
    schema: aircraft.schema,
    list: {
      summary: "List aircraft",
      description: "The fleet by registration, archived aircraft included.",
      query: AircraftListQuery,
      read({ actor, tenant }, query) {
        authorize(actor, "aircraft:read");
        return tenant.read((reader) => listAircraft(reader, query));
      },
    },
    add: {
      summary: "Add an aircraft",
      description: "Its counters start at the readings given.",
      body: NewAircraft,
      verb: createAircraft,
      refuses: ["registration_taken"],
    },
    get: {
      summary: "Get an aircraft",
      description: "One aircraft, with its counters as they are now.",
      read({ actor, tenant }, { aircraftId }) {
        authorize(actor, "aircraft:read");
        return tenant.read((reader) => findAircraft(reader, aircraftId));
      },
    },
    change: {
      summary: "Change an aircraft",
      description:
        "Changes what is given. `counters` corrects readings, with a reason; `status` archives. An archived aircraft can't be changed.",
      body: AircraftChange,
      verb: updateAircraft,
      refuses: ["aircraft_archived", "registration_taken"],
    },
  });
