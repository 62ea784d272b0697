import type { Http } from "../../../http/http.ts";
import { importRoute } from "../../../http/import-route.ts";
import { exampleFlights, flightColumns } from "./import.schemas.ts";
import { importFlights } from "./import-flights.ts";

/** `POST /orgs/{orgId}/flights/import` */
export const importFlightRoutes = (http: Http) =>
  importRoute(http, {
    tag: "Flights",
    path: "flights",
    name: "past flights",
    permission: "flights:import",
    description:
      "Each line adds a flight that is approved and `imported`: it is in lists and counts for its crew, but moves no counter of the aircraft and has no event. A line with the `registration` and `off_block_at` of a flight is that flight, which an import never changes: other values are a fault, and so are flights of an aircraft or of a crew member at the same time. A flight with the caller on board is marked with a `self_approval_reason`, in the flight and in the audit log. Crew members are in the columns `pic`, `solo`, `spic`, `picus`, `co_pilot`, `dual` and `instructor`, each by e-mail address, licence number or id. The landings are those of the student on instruction, else of the pilot, except those that `instructor_day_landings`, `instructor_night_landings` and the same of `co_pilot` and `picus` say. In place of instants, `date` with `off_block`, `take_off`, `landing` and `on_block` gives times of day in UTC. The list of flights as CSV can be imported, too, filtered by `status=approved`: its `crew` is matched by id, else by name.",
    example: exampleFlights,
    columns: flightColumns,
    verb: importFlights,
  });
