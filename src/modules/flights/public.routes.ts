import type { Http } from "../../http/http.ts";
import { publicList } from "../../http/public-list.ts";
import { listPublicFlights } from "./flights.queries.ts";
import { PublicFlightListQuery } from "./flights.schemas.ts";
import { publicFlight } from "./flights.shapes.ts";

/** `/api/v1/public/flights` */
export const publicFlightRoutes = (http: Http) =>
  publicList(http, {
    path: "flights",
    scope: "public.flights:read",
    query: PublicFlightListQuery,
    item: publicFlight.schema,
    read: listPublicFlights,
    summary: "List flights",
    description: "Newest first by off-block time. `from` and `to` bound that time.",
  });
