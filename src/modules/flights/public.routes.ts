import type { Http } from "../../http/http.ts";
import { publicList } from "../../http/public-list.ts";
import { publicResource } from "../../http/public-resource.ts";
import { findPublicFlight, listPublicFlights } from "./flights.queries.ts";
import { PublicFlightListQuery, PublicFlightRef } from "./flights.schemas.ts";
import { publicFlight } from "./flights.shapes.ts";

const scope = "public.flights:read";

/** `/api/v1/public/flights` */
export const publicFlightRoutes = (http: Http) =>
  publicList(http, {
    path: "flights",
    scope,
    query: PublicFlightListQuery,
    item: publicFlight.schema,
    read: listPublicFlights,
    summary: "List flights",
    description:
      "Without drafts. Newest first by off-block time. `from` and `to` bound that time. With `updated_since`, every flight that was submitted, edited, approved, rejected or reversed since then, in the order of the changes. A reversal has no event, so read it here.",
  });

/** `/api/v1/public/flights/{flightId}` */
export const publicFlightRoute = (http: Http) =>
  publicResource(http, {
    path: "flights/:flightId",
    scope,
    ref: PublicFlightRef,
    schema: publicFlight.schema,
    read: (reader, { flightId }) => findPublicFlight(reader, flightId),
    summary: "Get a flight",
    description: "With its crew. Returns 404 for a draft.",
  });
