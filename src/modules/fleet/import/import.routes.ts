import type { Http } from "../../../http/http.ts";
import { importRoute } from "../../../http/import-route.ts";
import { aircraftColumns, exampleAircraft } from "./import.schemas.ts";
import { importAircraft } from "./import-aircraft.ts";

/** `POST /orgs/{orgId}/aircraft/import` */
export const importAircraftRoutes = (http: Http) =>
  importRoute(http, {
    tag: "Fleet",
    path: "aircraft",
    name: "aircraft",
    permission: "aircraft:manage",
    description:
      "A line with the registration of an aircraft changes that aircraft; every other line adds one. Counters are the readings at which a new aircraft starts. Those of an aircraft that exists are left alone: flights and corrections change them.",
    example: exampleAircraft,
    columns: aircraftColumns,
    verb: importAircraft,
  });
