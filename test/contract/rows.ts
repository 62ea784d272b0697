/**
 * The contract's tables as data: each route with its callers, its input and its statuses. Additions of the design are in
 * `settled.ts`. A route that is not implemented names the work that implements it; these only become fewer (`coming.ts`).
 */

import type { Scope } from "../../src/core/scopes.ts";

/** The work that implements a row. */
export type Work =
  | "B" // events, webhooks, scheduler, demo
  | "C" // accounts and authentication
  | "D" // integrations
  | "compliance"
  | "finance"
  | "evidence";

export interface Row {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /**
   * A scope is an API key's; `user` is a session; `organization` a member's session; `user-or-member` either; `optional` a session or none;
   * `admin` a session of a platform admin.
   */
  by:
    | "open"
    | "optional"
    | "user"
    | "user-or-member"
    | "organization"
    | "named-organization"
    | "admin"
    | { scope: Scope };
  query?: readonly string[];
  /** Whether the route reads JSON. */
  body?: "required" | "optional";
  success: number;
  errors: readonly number[];
  /** A media type other than JSON. */
  type?: "text/plain" | "text/html";
  brings?: Work;
}

const lists = ["limit", "offset"] as const;
const periods = ["from", "to"] as const;

const publicRow = (path: string, scope: Scope, row: Partial<Row> = {}): Row => ({
  method: "GET",
  path: `/api/v1/public${path}`,
  by: { scope },
  success: 200,
  errors: [401],
  ...row,
});

export const publicApi: readonly Row[] = [
  publicRow("/compliance", "public.compliance:read", { query: ["soon_days"] }),
  publicRow("/events", "public.events:read", { query: ["type", "since", "until", "limit"] }),
  // Not in the contract's table. Like the single resources that are.
  publicRow("/events/{eventId}", "public.events:read", { errors: [401, 403, 404] }),
  publicRow("/events/{eventId}/replay", "events:replay", {
    method: "POST",
    success: 201,
    errors: [401, 404],
  }),
  publicRow("/finance-summaries", "public.finance:read", { query: ["limit"] }),
  publicRow("/fleet", "public.fleet:read"),
  publicRow("/flights", "public.flights:read", { query: ["status", ...periods, ...lists] }),
  // Not in the contract's table. Like the single resources that are.
  publicRow("/flights/{flightId}", "public.flights:read", { errors: [401, 403, 404] }),
  publicRow("/invoices", "public.invoices:read", {
    query: ["status", ...periods, ...lists],
    errors: [401, 403],
  }),
  publicRow("/invoices/{invoiceId}", "public.invoices:read", { errors: [401, 403, 404] }),
  publicRow("/maintenance/due", "public.maintenance:read", { query: ["aircraft_id"], errors: [401, 403] }),
  publicRow("/maintenance/work-orders", "public.maintenance:read", {
    query: ["aircraft_id", "status", ...lists],
    errors: [401, 403],
  }),
  publicRow("/maintenance/work-orders/{workOrderId}", "public.maintenance:read", { errors: [401, 403, 404] }),
  publicRow("/pilots", "public.pilots:read", { query: ["type", ...lists] }),
  publicRow("/planning/sessions", "public.planning:read", {
    query: ["kind", ...periods, ...lists],
    errors: [401, 403],
  }),
  publicRow("/planning/sessions/{sessionId}", "public.planning:read", { errors: [401, 403, 404] }),
  publicRow("/training-progress", "public.training:read"),
  publicRow("/training/signoffs", "public.signoffs:read", {
    query: ["student_id", ...periods, ...lists],
    errors: [401, 403],
  }),
  publicRow("/vtr", "public.vtr:read", { query: ["type", "status", ...lists], errors: [401, 403] }),
  publicRow("/vtr/{vtrId}", "public.vtr:read", { errors: [401, 403, 404] }),
];

const decision = [400, 401, 403, 404, 409] as const;

export const adminAndMarketplace: readonly Row[] = [
  {
    method: "GET",
    path: "/admin/addon-listings",
    by: "admin",
    query: ["review_status"],
    success: 200,
    errors: [401, 403, 404],
  },
  {
    method: "GET",
    path: "/admin/addon-listings/{listingId}",
    by: "admin",
    success: 200,
    errors: [401, 403, 404],
  },
  {
    method: "POST",
    path: "/admin/addon-listings/{listingId}/approve",
    by: "admin",
    body: "optional",
    success: 200,
    errors: decision,
  },
  {
    method: "POST",
    path: "/admin/addon-listings/{listingId}/reject",
    by: "admin",
    body: "required",
    success: 200,
    errors: decision,
  },
  {
    method: "PATCH",
    path: "/admin/directory/{type}/{id}",
    by: "admin",
    body: "required",
    success: 200,
    errors: [400, 401, 404],
  },
  {
    method: "GET",
    path: "/applications",
    by: "user-or-member",
    query: ["status", ...lists],
    success: 200,
    errors: [401],
  },
  {
    method: "GET",
    path: "/applications/{applicationId}",
    by: "user-or-member",
    success: 200,
    errors: [401, 404],
  },
  {
    method: "PATCH",
    path: "/applications/{applicationId}/status",
    by: "user-or-member",
    body: "required",
    success: 200,
    errors: [400, 401, 403],
  },
];

const post = (path: string, by: Row["by"], body: Row["body"], success: number, errors: number[]): Row => ({
  method: "POST",
  path,
  by,
  success,
  errors,
  ...(body && { body }),
});

export const accounts: readonly Row[] = [
  post("/auth/login", "open", "required", 200, [400, 401, 403, 429]),
  post("/auth/mfa/verify", "open", "required", 200, [400, 401, 429]),
  post("/auth/refresh", "open", "optional", 200, [204, 400, 401, 429]),
  post("/auth/logout", "open", "optional", 200, [401]),
  { method: "DELETE", path: "/auth/sessions", by: "user", success: 200, errors: [401] },
  post("/auth/signup", "open", "required", 201, [400, 409, 429]),
  post("/auth/signup-org", "open", "required", 201, [400, 409, 429]),
  post("/auth/establish-token", "user", "optional", 200, [401, 500]),
  post("/auth/establish-exchange", "open", "required", 200, [400, 401, 500]),
  post("/auth/mfa/enroll/start", "user", "optional", 200, [400, 401, 409]),
  post("/auth/mfa/enroll/verify", "user", "required", 200, [400, 401, 404]),
  { method: "DELETE", path: "/auth/mfa/enroll", by: "user", success: 200, errors: [401, 403] },
  { method: "GET", path: "/auth/mfa/recovery-codes", by: "user", success: 200, errors: [401] },
  post("/auth/mfa/recovery-codes/regenerate", "user", undefined, 200, [401, 412]),
  post("/auth/mfa/step", "user", "required", 200, [400, 401, 412, 429]),
  {
    method: "GET",
    path: "/auth/oauth/callback",
    by: "open",
    query: ["code", "state"],
    success: 200,
    errors: [400, 401, 502],
  },
  post("/auth/oauth/start", "optional", "required", 200, [400, 502]),
  { method: "GET", path: "/auth/org-invites/{token}", by: "open", success: 200, errors: [404, 409, 410] },
  post("/auth/org-invites/claim", "optional", "required", 200, [400, 404, 409, 410]),
  { method: "GET", path: "/auth/student-invites/{token}", by: "open", success: 200, errors: [400, 404, 409, 410] },
  post("/auth/student-invites/claim", "optional", "required", 200, [400, 401, 404, 409, 410]),
];

export const operational: readonly Row[] = [
  { method: "GET", path: "/capabilities", by: "open", success: 200, errors: [] },
  { method: "GET", path: "/health", by: "open", success: 200, errors: [], type: "text/plain" },
  { method: "GET", path: "/docs", by: "open", success: 200, errors: [], type: "text/html" },
  { method: "GET", path: "/debug/schedulers", by: "optional", success: 200, errors: [404] },
  { method: "GET", path: "/debug/schedulers/{name}", by: "optional", success: 200, errors: [400, 404] },
  {
    method: "GET",
    path: "/internal/compliance-evaluations",
    by: "named-organization",
    query: ["limit"],
    success: 200,
    errors: [],
  },
  { method: "GET", path: "/orgs/{orgId}/integrations/event-catalog", by: "organization", success: 200, errors: [] },
];

export const rows: readonly Row[] = [...publicApi, ...adminAndMarketplace, ...accounts, ...operational];

export const nameOf = ({ method, path }: Pick<Row, "method" | "path">) => `${method} ${path}`;
