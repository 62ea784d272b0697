import type { Http } from "../../http/http.ts";
import { resourceRoutes } from "../../http/resource-routes.ts";
import { approveFlight } from "./approve-flight.ts";
import { draftFlight } from "./draft-flight.ts";
import { editFlight } from "./edit-flight.ts";
import { findFlight, flightEntity, listFlights } from "./flights.queries.ts";
import { Approval, FlightChange, FlightDraft, FlightListQuery, Reason } from "./flights.schemas.ts";
import { rejectFlight } from "./reject-flight.ts";
import { reverseFlight } from "./reverse-flight.ts";
import { submitFlight } from "./submit-flight.ts";

/** `/orgs/{orgId}/flights`. @param charges whether flights are charged */
export const flightRoutes = (http: Http, charges: boolean) =>
  resourceRoutes(http, {
    tag: "Flights",
    names: ["a flight", "flights"],
    path: "flights",
    item: "/:flightId",
    entity: flightEntity,
    reads: ["flights:read", "flights:read_own"],
    writes: "flights:submit",
    list: {
      description: "Newest first by off-block time. Flights without one come last.",
      query: FlightListQuery,
      read: (reader, query, { actor }) => listFlights(reader, actor, query),
    },
    add: {
      summary: "Draft a flight",
      description: "Rejects impossible values. Missing values may follow until the flight is submitted.",
      body: FlightDraft,
      verb: draftFlight,
      refuses: ["aircraft_archived", "person_archived"],
    },
    get: {
      summary: "Read a flight",
      description: "With its crew. Returns 404 also for a flight that the caller may not see.",
      read: (reader, { flightId, actor }) => findFlight(reader, flightId, actor),
    },
    change: {
      summary: "Edit a flight",
      description: "Allowed while it is draft, submitted or rejected. Changes the given fields; null clears a field.",
      body: FlightChange,
      verb: editFlight,
      refuses: ["aircraft_archived", "person_archived", "not_crew_member", "flight_overlaps", "wrong_status"],
    },
    actions: {
      submit: {
        summary: "Submit a flight for approval",
        description:
          "Submits a draft, or a rejected flight as its next revision. 409 if the aircraft or a crew member is in another submitted or approved flight at the same time. Of flights that follow each other at once, none is refused.",
        verb: submitFlight,
        refuses: ["aircraft_archived", "not_crew_member", "flight_overlaps", "wrong_status"],
      },
      approve: {
        summary: "Approve a submitted flight",
        description:
          "Posts the flight exactly once: adds its figures to the aircraft's counters and raises its charges. The clearance is asked again: 409 if the flight does not meet a rule that blocks and `acknowledge` does not name it.",
        permission: "flights:approve",
        body: Approval,
        verb: (context, input) => approveFlight(context, input, charges),
        refuses: [
          "own_flight",
          "findings_not_acknowledged",
          "flight_overlaps",
          "counter_out_of_range",
          "revision_changed",
          "wrong_status",
        ],
      },
      reject: {
        summary: "Reject a submitted flight",
        description: "Requires a reason. The flight can be edited and submitted again.",
        permission: "flights:approve",
        body: Reason,
        verb: rejectFlight,
        refuses: ["wrong_status"],
      },
      reverse: {
        summary: "Reverse an approved flight",
        description: "Posts entries opposite to those of its approval. Requires a reason.",
        permission: "flights:reverse",
        body: Reason,
        verb: reverseFlight,
        refuses: ["counter_out_of_range", "wrong_status"],
      },
    },
  });
