import type { Permission } from "../../../src/core/permissions.ts";

/**
 * What a member must be permitted to call each route under an organization: one of these. An empty list says that every
 * member may. `routes-security.test.ts` fails for a route that is not here.
 */
export const permissionsFor: Record<string, readonly Permission[]> = {
  "GET /orgs/{orgId}": ["organization:read"],
  "PATCH /orgs/{orgId}": ["organization:manage"],
  "GET /orgs/{orgId}/members": ["members:read"],
  "PATCH /orgs/{orgId}/members/{userId}": ["members:manage"],
  "DELETE /orgs/{orgId}/members/{userId}": ["members:manage"],
  "POST /orgs/{orgId}/invites": ["members:manage"],
  "POST /orgs/{orgId}/people": ["people:manage"],
  "GET /orgs/{orgId}/people": ["people:read", "people:read_own"],
  "GET /orgs/{orgId}/people/{personId}": ["people:read", "people:read_own"],
  "PATCH /orgs/{orgId}/people/{personId}": ["people:manage"],
  "POST /orgs/{orgId}/aircraft": ["aircraft:manage"],
  "GET /orgs/{orgId}/aircraft": ["aircraft:read"],
  "GET /orgs/{orgId}/aircraft/{aircraftId}": ["aircraft:read"],
  "PATCH /orgs/{orgId}/aircraft/{aircraftId}": ["aircraft:manage"],
  "GET /orgs/{orgId}/flights": ["flights:read", "flights:read_own"],
  "POST /orgs/{orgId}/flights": ["flights:submit"],
  "GET /orgs/{orgId}/flights/{flightId}": ["flights:read", "flights:read_own"],
  "PATCH /orgs/{orgId}/flights/{flightId}": ["flights:submit"],
  "POST /orgs/{orgId}/flights/{flightId}/submit": ["flights:submit"],
  "POST /orgs/{orgId}/flights/{flightId}/approve": ["flights:approve"],
  "POST /orgs/{orgId}/flights/{flightId}/reject": ["flights:approve"],
  "POST /orgs/{orgId}/flights/{flightId}/reverse": ["flights:reverse"],
  "POST /orgs/{orgId}/integrations/api-keys": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/api-keys": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/api-keys/{apiKeyId}": ["integrations:manage"],
  "DELETE /orgs/{orgId}/integrations/api-keys/{apiKeyId}": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/webhook-endpoints": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/webhook-endpoints": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}": ["integrations:manage"],
  "PATCH /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}": ["integrations:manage"],
  "DELETE /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}/ping": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}/rotate-secret": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/event-catalog": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/events": ["integrations:manage"],
  "GET /orgs/{orgId}/integrations/events/{eventId}": ["integrations:manage"],
  "POST /orgs/{orgId}/integrations/events/{eventId}/replay": ["integrations:manage"],
  "GET /orgs/{orgId}/audit-log": ["audit:read"],
};

/** Routes that anybody may call. A route that is open and not here fails, lest one be open by mistake. */
export const openRoutes: readonly string[] = [
  "POST /auth/login",
  "POST /auth/refresh",
  "POST /auth/logout",
  "POST /auth/signup-org",
  "GET /auth/org-invites/{token}",
  "GET /health",
  "GET /capabilities",
  "GET /docs",
  "GET /docs/json",
  "GET /docs/assets/{file}",
  "GET /openapi.json",
];
