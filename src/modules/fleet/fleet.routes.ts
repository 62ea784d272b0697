import type { Http } from "../../http/http.ts";
import { resourceRoutes } from "../../http/resource-routes.ts";
import { createAircraft } from "./create-aircraft.ts";
import { aircraftEntity, listAircraft } from "./fleet.queries.ts";
import { AircraftChange, AircraftGrounding, AircraftListQuery, NewAircraft } from "./fleet.schemas.ts";
import { groundByHand } from "./grounding/ground-by-hand.ts";
import { updateAircraft } from "./update-aircraft.ts";

/** `/orgs/{orgId}/aircraft` */
export const fleetRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Fleet",
    names: ["an aircraft", "aircraft"],
    path: "aircraft",
    item: "/:aircraftId",
    entity: aircraftEntity,
    reads: "aircraft:read",
    writes: "aircraft:manage",
    list: {
      description: "Sorted by registration. Includes archived aircraft.",
      query: AircraftListQuery,
      read: listAircraft,
    },
    add: {
      description: "Its counters start at the given readings.",
      body: NewAircraft,
      verb: createAircraft,
      refuses: ["registration_taken"],
    },
    get: { description: "With its current counters." },
    change: {
      description:
        "Changes the given fields. `counters` corrects readings and needs a reason; `status` archives the aircraft, or undoes that; an aircraft with `groundings` is then grounded. An archived aircraft can't be changed otherwise.",
      body: AircraftChange,
      verb: updateAircraft,
      refuses: ["aircraft_archived", "aircraft_has_flights", "registration_taken", "wrong_status"],
    },
    actions: {
      ground: {
        summary: "Ground an aircraft",
        description:
          "Adds a reason to `groundings`. The aircraft stays grounded until the reason is lifted. Emits `maintenance.alert` if the aircraft was available.",
        body: AircraftGrounding,
        verb: groundByHand,
        refuses: ["aircraft_archived"],
      },
    },
  });
