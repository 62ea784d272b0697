import { Elysia } from "elysia";
import type { Reason as ErrorReason } from "../../core/reasons.ts";
import { requires } from "../../http/before-validation.ts";
import { createdBelow } from "../../http/created.ts";
import type { Http } from "../../http/http.ts";
import { jsonData } from "../../http/json-text.ts";
import { listPage } from "../../http/list-page.ts";
import { data, page, responses } from "../../http/responses.ts";
import { approveFlight } from "./approve-flight.ts";
import { draftFlight } from "./draft-flight.ts";
import { editFlight } from "./edit-flight.ts";
import { findFlight, listFlights } from "./flights.queries.ts";
import { Approval, FlightChange, FlightDraft, FlightListQuery, FlightRef, Reason } from "./flights.schemas.ts";
import { flight } from "./flights.shapes.ts";
import { rejectFlight } from "./reject-flight.ts";
import { reverseFlight } from "./reverse-flight.ts";
import { submitFlight } from "./submit-flight.ts";

const FlightResponse = data(flight.schema);
const FlightList = page(flight.schema);

/** The responses of a route that changes a flight. */
const flightResponses = (...reasons: ErrorReason[]) => responses({ 200: FlightResponse }, 400, 401, 404, ...reasons);

export const flightRoutes = ({ session }: Http) =>
  new Elysia({ name: "flights", prefix: "/orgs/:orgId/flights", tags: ["Flights"] })
    .use(session)
    .get(
      "/",
      async ({ context, query }) =>
        listPage(query, (query) => context.tenant.read((reader) => listFlights(reader, context.actor, query))),
      {
        transform: requires("flights:read", "flights:read_own"),
        query: FlightListQuery,
        response: responses({ 200: FlightList }, 400, 401, 404),
        detail: {
          summary: "List flights",
          description: "Newest first by off-block time. Flights without one come last.",
        },
      },
    )
    .post(
      "/",
      async ({ context, body, request, set }) => {
        const draft = await draftFlight(context, body);
        createdBelow(request, set, draft.value);
        return jsonData(draft);
      },
      {
        transform: requires("flights:submit"),
        body: FlightDraft,
        response: responses({ 201: FlightResponse }, 400, 401, 404, "aircraft_archived", "person_archived"),
        detail: {
          summary: "Draft a flight",
          description: "Rejects impossible values. Missing values may follow until the flight is submitted.",
        },
      },
    )
    .get(
      "/:flightId",
      async ({ context, params }) =>
        jsonData(await context.tenant.read((reader) => findFlight(reader, params.flightId, context.actor))),
      {
        params: FlightRef,
        response: responses({ 200: FlightResponse }, 401, 404),
        detail: {
          summary: "Read a flight",
          description: "With its crew. Returns 404 also for a flight that the caller may not see.",
        },
      },
    )
    .patch(
      "/:flightId",
      async ({ context, params, body }) =>
        jsonData(await editFlight(context, { flightId: params.flightId, change: body })),
      {
        transform: requires("flights:submit"),
        params: FlightRef,
        body: FlightChange,
        response: flightResponses("aircraft_archived", "person_archived", "not_crew_member", "wrong_status"),
        detail: {
          summary: "Edit a flight",
          description:
            "Allowed while it is draft, submitted or rejected. Changes the given fields; null clears a field.",
        },
      },
    )
    .post("/:flightId/submit", async ({ context, params }) => jsonData(await submitFlight(context, params)), {
      params: FlightRef,
      response: flightResponses("aircraft_archived", "not_crew_member", "wrong_status"),
      detail: {
        summary: "Submit a flight for approval",
        description: "Submits a draft, or a rejected flight as its next revision.",
      },
    })
    .post(
      "/:flightId/approve",
      async ({ context, params, body }) => jsonData(await approveFlight(context, { ...params, ...body })),
      {
        transform: requires("flights:approve"),
        params: FlightRef,
        body: Approval,
        response: flightResponses(
          "own_flight",
          "findings_not_acknowledged",
          "counter_out_of_range",
          "revision_changed",
          "wrong_status",
        ),
        detail: {
          summary: "Approve a submitted flight",
          description:
            "Posts the flight exactly once: adds its figures to the aircraft's counters. The clearance is asked again: 409 if the flight does not meet a rule that blocks and `acknowledge` does not name it.",
        },
      },
    )
    .post(
      "/:flightId/reject",
      async ({ context, params, body }) => jsonData(await rejectFlight(context, { ...params, ...body })),
      {
        transform: requires("flights:approve"),
        params: FlightRef,
        body: Reason,
        response: flightResponses("wrong_status"),
        detail: {
          summary: "Reject a submitted flight",
          description: "Requires a reason. The flight can be edited and submitted again.",
        },
      },
    )
    .post(
      "/:flightId/reverse",
      async ({ context, params, body }) => jsonData(await reverseFlight(context, { ...params, ...body })),
      {
        transform: requires("flights:reverse"),
        params: FlightRef,
        body: Reason,
        response: flightResponses("counter_out_of_range", "wrong_status"),
        detail: {
          summary: "Reverse an approved flight",
          description: "Posts entries opposite to those of its approval. Requires a reason.",
        },
      },
    );
