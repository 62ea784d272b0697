import { expect, test } from "bun:test";
import { operationIdOf } from "../../src/http/operation-id.ts";

const derived: [route: string, id: string, lists?: true][] = [
  ["GET /orgs/:orgId/flights", "listFlights", true],
  ["GET /orgs/:orgId/flights/:flightId", "getFlight"],
  ["POST /orgs/:orgId/flights", "addFlight"],
  ["PATCH /orgs/:orgId/flights/:flightId", "changeFlight"],
  ["DELETE /orgs/:orgId/flights/:flightId", "deleteFlight"],
  ["POST /orgs/:orgId/flights/:flightId/approve", "approveFlight"],
  ["POST /orgs/:orgId/flights/import", "importFlights"],
  // An irregular plural, and words that are their own.
  ["POST /orgs/:orgId/people", "addPerson"],
  ["POST /orgs/:orgId/people/:personId/erase", "erasePerson"],
  ["POST /orgs/:orgId/aircraft/:aircraftId/defects", "addAircraftDefect"],
  ["GET /orgs/:orgId/planning/hours/:hoursId", "getPlanningHours"],
  ["POST /orgs/:orgId/planning/series", "addPlanningSeries"],
  ["PATCH /orgs/:orgId/opportunities/:opportunityId", "changeOpportunity"],
  ["GET /orgs/:orgId/planning/wishes/:wishId", "getPlanningWish"],
  // Two words stay together, also where they are the verb.
  ["POST /orgs/:orgId/planning/sessions/:sessionId/check-in", "checkInPlanningSession"],
  ["DELETE /orgs/:orgId/integrations/webhook-endpoints/:endpointId", "deleteWebhookEndpoint"],
  ["GET /orgs/:orgId", "getOrg"],
  ["GET /api/v1/public/flights", "listPublicFlights", true],
  ["GET /public/directory/:type/:id", "getPublicDirectory"],
  ["POST /auth/login", "login"],
  ["POST /auth/mfa/recovery-codes/regenerate", "regenerateMfaRecoveryCodes"],
  ["GET /openapi.json", "getOpenapijson"],
];

test.each(derived)("%s is %s", (route, id, lists = false as never) => {
  const [method = "", path = ""] = route.split(" ");
  expect(operationIdOf({ method, path, lists })).toBe(id);
});
