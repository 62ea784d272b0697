import type { Permission } from "../../../src/core/permissions.ts";

/** The attachments of a record, a work order or a defect. */
function attachments(
  of: string,
  { reads, adds, removes }: Record<"reads" | "adds" | "removes", readonly Permission[]>,
): Record<string, readonly Permission[]> {
  const all = `/orgs/{orgId}/${of}/attachments`;
  return {
    [`GET ${all}`]: reads,
    [`POST ${all}`]: adds,
    [`GET ${all}/{attachmentId}`]: reads,
    [`GET ${all}/{attachmentId}/content`]: reads,
    [`DELETE ${all}/{attachmentId}`]: removes,
  };
}

/** A resource of `resourceRoutes`, and the names of its actions. */
function resource(
  collection: string,
  item: string,
  { reads, writes }: Record<"reads" | "writes", Permission>,
  changes = true,
) {
  const one = `/orgs/{orgId}/${collection}/${item}`;
  return (...actions: string[]): Record<string, readonly Permission[]> => ({
    [`GET /orgs/{orgId}/${collection}`]: [reads],
    [`POST /orgs/{orgId}/${collection}`]: [writes],
    [`GET ${one}`]: [reads],
    ...(changes && { [`PATCH ${one}`]: [writes] }),
    ...Object.fromEntries(
      actions.map((action) => [action === "DELETE" ? `DELETE ${one}` : `POST ${one}/${action}`, [writes]]),
    ),
  });
}

/** Resources that members see who see only their own sessions. */
function planning(collection: string, item: string, written: "booked" | "configured") {
  const all = `/orgs/{orgId}/planning/${collection}`;
  const reads: readonly Permission[] = ["planning:read", "planning:read_own"];
  const writes: readonly Permission[] =
    written === "booked" ? ["planning:book", "planning:manage"] : ["planning:configure"];
  return (...actions: string[]): Record<string, readonly Permission[]> => ({
    [`GET ${all}`]: reads,
    [`POST ${all}`]: writes,
    [`GET ${all}/${item}`]: reads,
    [`PATCH ${all}/${item}`]: writes,
    ...Object.fromEntries(actions.map((action) => [`POST ${all}/${item}/${action}`, ["planning:manage"]])),
  });
}

/**
 * The permissions for each route under an organization: a member needs one of them. With an empty list, every member may
 * call it. `routes-security.test.ts` fails for a route that is not listed.
 */
export const permissionsFor: Record<string, readonly Permission[]> = {
  "GET /orgs/{orgId}": ["organization:read"],
  "PATCH /orgs/{orgId}": ["organization:manage"],
  "GET /orgs/{orgId}/members": ["members:read"],
  "PATCH /orgs/{orgId}/members/{userId}": ["members:manage"],
  "DELETE /orgs/{orgId}/members/{userId}": ["members:manage"],
  "POST /orgs/{orgId}/invites": ["members:manage"],
  "GET /orgs/{orgId}/invites": ["members:manage"],
  "GET /orgs/{orgId}/invites/{inviteId}": ["members:manage"],
  "DELETE /orgs/{orgId}/invites/{inviteId}": ["members:manage"],
  "POST /orgs/{orgId}/invites/{inviteId}/resend": ["members:manage"],
  "POST /orgs/{orgId}/student-invites": ["members:manage"],
  "GET /orgs/{orgId}/student-invites": ["members:manage"],
  "GET /orgs/{orgId}/student-invites/{inviteId}": ["members:manage"],
  "DELETE /orgs/{orgId}/student-invites/{inviteId}": ["members:manage"],
  "POST /orgs/{orgId}/student-invites/{inviteId}/resend": ["members:manage"],
  "POST /orgs/{orgId}/people": ["people:manage"],
  "POST /orgs/{orgId}/people/import": ["people:manage"],
  "GET /orgs/{orgId}/people": ["people:read", "people:read_own"],
  "GET /orgs/{orgId}/people/{personId}": ["people:read", "people:read_own"],
  "PATCH /orgs/{orgId}/people/{personId}": ["people:manage"],
  "GET /orgs/{orgId}/people/{personId}/export": ["people:manage", "people:read_own"],
  "POST /orgs/{orgId}/people/{personId}/erase": ["people:manage"],
  "GET /orgs/{orgId}/people/{personId}/logbook": ["people:read", "people:read_own"],
  "GET /orgs/{orgId}/people/{personId}/logbook/opening-totals": ["people:read", "people:read_own"],
  "PATCH /orgs/{orgId}/people/{personId}/logbook/opening-totals": ["people:manage", "people:read", "people:read_own"],
  "GET /orgs/{orgId}/aircraft/{aircraftId}/journey-log": ["flights:read"],
  ...resource("aircraft", "{aircraftId}", { reads: "aircraft:read", writes: "aircraft:manage" })(),
  "POST /orgs/{orgId}/aircraft/import": ["aircraft:manage"],
  "POST /orgs/{orgId}/aircraft/{aircraftId}/ground": ["aircraft:manage"],
  "POST /orgs/{orgId}/aircraft/{aircraftId}/groundings/{groundingId}/lift": ["aircraft:manage"],
  ...resource("maintenance/items", "{itemId}", { reads: "maintenance:read", writes: "maintenance:manage" })(
    "DELETE",
    "done",
  ),
  ...resource("maintenance/work-orders", "{workOrderId}", { reads: "maintenance:read", writes: "maintenance:manage" })(
    "start",
    "reopen",
    "complete",
  ),
  "GET /orgs/{orgId}/aircraft/{aircraftId}/defects": ["maintenance:read", "defects:report"],
  "POST /orgs/{orgId}/aircraft/{aircraftId}/defects": ["defects:report"],
  "GET /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}": ["maintenance:read", "defects:report"],
  "POST /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}/defer": ["maintenance:manage"],
  "GET /orgs/{orgId}/maintenance/templates": ["maintenance:read"],
  "POST /orgs/{orgId}/maintenance/templates/{key}/apply": ["maintenance:manage"],
  ...planning("sessions", "{sessionId}", "booked")("confirm", "check-in", "complete", "no-show"),
  "POST /orgs/{orgId}/planning/sessions/{sessionId}/cancel": ["planning:book", "planning:manage"],
  "POST /orgs/{orgId}/planning/sessions/{sessionId}/reschedule": ["planning:book", "planning:manage"],
  "GET /orgs/{orgId}/planning/free-slots": ["planning:book", "planning:manage"],
  "GET /orgs/{orgId}/planning/wishes": ["planning:read", "planning:read_own"],
  "GET /orgs/{orgId}/planning/wishes/{wishId}": ["planning:read", "planning:read_own"],
  "POST /orgs/{orgId}/planning/wishes": ["planning:book", "planning:manage"],
  "POST /orgs/{orgId}/planning/wishes/{wishId}/decline": ["planning:book", "planning:manage"],
  "POST /orgs/{orgId}/planning/wishes/{wishId}/withdraw": ["planning:book", "planning:manage"],
  "POST /orgs/{orgId}/planning/series": ["planning:book", "planning:manage"],
  "GET /orgs/{orgId}/planning/sessions/{sessionId}/checks": ["planning:read", "planning:read_own"],
  "GET /orgs/{orgId}/planning/busy": ["planning:read", "planning:read_own"],
  ...planning("rooms", "{roomId}", "configured")(),
  ...resource("planning/hours", "{hoursId}", { reads: "planning:read", writes: "planning:manage" }, false)("DELETE"),
  ...resource(
    "planning/absences",
    "{absenceId}",
    { reads: "planning:read", writes: "planning:manage" },
    false,
  )("DELETE"),
  "GET /orgs/{orgId}/planning/settings": ["planning:read", "planning:read_own"],
  "PATCH /orgs/{orgId}/planning/settings": ["planning:configure"],
  "GET /orgs/{orgId}/flights": ["flights:read", "flights:read_own"],
  "POST /orgs/{orgId}/flights": ["flights:submit"],
  "GET /orgs/{orgId}/flights/{flightId}": ["flights:read", "flights:read_own"],
  "PATCH /orgs/{orgId}/flights/{flightId}": ["flights:submit"],
  "POST /orgs/{orgId}/flights/{flightId}/submit": ["flights:submit"],
  "POST /orgs/{orgId}/flights/{flightId}/approve": ["flights:approve"],
  "POST /orgs/{orgId}/flights/{flightId}/reject": ["flights:approve"],
  "POST /orgs/{orgId}/flights/{flightId}/reverse": ["flights:reverse"],
  "POST /orgs/{orgId}/flights/import": ["flights:import"],
  "GET /orgs/{orgId}/compliance/types": ["compliance:read", "compliance:read_own", "compliance:read_aircraft"],
  "POST /orgs/{orgId}/compliance/types": ["compliance:manage"],
  "GET /orgs/{orgId}/compliance/types/{typeId}": ["compliance:read", "compliance:read_own", "compliance:read_aircraft"],
  "PATCH /orgs/{orgId}/compliance/types/{typeId}": ["compliance:manage"],
  "DELETE /orgs/{orgId}/compliance/types/{typeId}": ["compliance:manage"],
  "GET /orgs/{orgId}/compliance/requirements": ["compliance:read", "compliance:read_own", "compliance:read_aircraft"],
  "POST /orgs/{orgId}/compliance/requirements": ["compliance:manage"],
  "GET /orgs/{orgId}/compliance/requirements/{requirementId}": [
    "compliance:read",
    "compliance:read_own",
    "compliance:read_aircraft",
  ],
  "PATCH /orgs/{orgId}/compliance/requirements/{requirementId}": ["compliance:manage"],
  "DELETE /orgs/{orgId}/compliance/requirements/{requirementId}": ["compliance:manage"],
  "GET /orgs/{orgId}/compliance/evaluations": ["compliance:read"],
  "GET /internal/compliance-evaluations": ["compliance:read"],
  "GET /orgs/{orgId}/compliance/records": ["compliance:read", "compliance:read_own", "compliance:read_aircraft"],
  "POST /orgs/{orgId}/compliance/records": ["compliance:manage", "compliance:manage_aircraft"],
  "GET /orgs/{orgId}/compliance/records/{recordId}": [
    "compliance:read",
    "compliance:read_own",
    "compliance:read_aircraft",
  ],
  "POST /orgs/{orgId}/compliance/records/{recordId}/withdraw": ["compliance:manage", "compliance:manage_aircraft"],
  "GET /orgs/{orgId}/compliance/suggested-validity": ["compliance:manage", "compliance:manage_aircraft"],
  ...attachments("compliance/records/{recordId}", {
    reads: ["compliance:read", "compliance:read_own", "compliance:read_aircraft"],
    adds: ["compliance:manage", "compliance:manage_aircraft"],
    removes: ["compliance:manage", "compliance:manage_aircraft"],
  }),
  ...attachments("maintenance/work-orders/{workOrderId}", {
    reads: ["maintenance:read"],
    adds: ["maintenance:manage"],
    removes: ["maintenance:manage"],
  }),
  ...attachments("aircraft/{aircraftId}/defects/{defectId}", {
    reads: ["maintenance:read", "defects:report"],
    adds: ["defects:report"],
    removes: ["maintenance:manage"],
  }),
  "GET /orgs/{orgId}/clearance": ["compliance:read", "compliance:read_own"],
  "GET /orgs/{orgId}/clearance/rules": ["compliance:read", "compliance:read_own"],
  "PATCH /orgs/{orgId}/clearance/rules/{rule}": ["clearance:manage"],
  "POST /orgs/{orgId}/integrations/api-keys": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/api-keys": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/api-keys/{apiKeyId}": ["integrations:manage"],
  "DELETE /orgs/{orgId}/integrations/api-keys/{apiKeyId}": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/api-keys/{apiKeyId}/rotate": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/scopes": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/webhook-endpoints": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/webhook-endpoints": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}": ["integrations:manage"],
  "PATCH /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}": ["integrations:manage"],
  "DELETE /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}/ping": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}/rotate-secret": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}/health": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}/deliveries": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/events/{eventId}/deliveries": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/deliveries/{deliveryId}": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/replays": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/replays": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/replays/{replayId}": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/replays/{replayId}/cancel": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/event-catalog": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/events": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/events/{eventId}": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/events/{eventId}/replay": ["integrations:manage"],
  "GET /orgs/{orgId}/notification-preferences": [],
  "PATCH /orgs/{orgId}/notification-preferences": [],
  "GET /orgs/{orgId}/share-tokens": [],
  "POST /orgs/{orgId}/share-tokens": [],
  "GET /orgs/{orgId}/share-tokens/{shareTokenId}": [],
  "DELETE /orgs/{orgId}/share-tokens/{shareTokenId}": [],
  "GET /orgs/{orgId}/audit-log": ["audit:read"],
};

/** Routes without authentication. An open route that is not listed here fails, so that none is open by mistake. */
export const openRoutes: readonly string[] = [
  "GET /health/ready",
  "POST /auth/login",
  "POST /auth/mfa/verify",
  "POST /auth/refresh",
  "POST /auth/logout",
  "POST /auth/signup",
  "POST /auth/signup-org",
  "POST /auth/password/forgot",
  "POST /auth/password/reset",
  "GET /auth/link",
  "GET /public/orgs/{orgId}/calendars/{calendarId}",
  "GET /auth/org-invites/{token}",
  "GET /auth/student-invites/{token}",
  "POST /auth/establish-exchange",
  // The state, the code and the browser's cookie authenticate the caller.
  "GET /auth/oauth/callback",
  "GET /health",
  "GET /capabilities",
  "GET /docs",
  "GET /docs/json",
  "GET /docs/assets/{file}",
  "GET /openapi.json",
];
