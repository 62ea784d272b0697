import type { Module } from "../../module.ts";
import { flightFinder } from "./find-flights.queries.ts";
import { flightApproved, flightRejected, flightSubmitted } from "./flights.events.ts";
import { flightsFollows } from "./flights.follows.ts";
import { flightsPersonal } from "./flights.personal.ts";
import { flightRoutes } from "./flights.routes.ts";
import * as tables from "./flights.tables.ts";
import { flightChanges } from "./flights-changes.queries.ts";
import { importFlightRoutes } from "./import/import.routes.ts";
import { publicFlightRoute, publicFlightRoutes } from "./public.routes.ts";

export const flights = {
  capability: "flights",
  tables: { tenant: tables },
  routes: (http, { capabilities }) => [
    flightRoutes(http, capabilities.has("finance")),
    importFlightRoutes(http),
    publicFlightRoutes(http),
    publicFlightRoute(http),
  ],
  events: [flightSubmitted, flightApproved, flightRejected],
  personal: flightsPersonal,
  follows: flightsFollows,
  search: [flightFinder],
  changes: flightChanges,
  tags: { Flights: "From draft to approval, rejection and reversal." },
} satisfies Module;
