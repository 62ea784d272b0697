/** Decisions of the design where the contract is open, for all rows or for one. */
import type { ErrorCode } from "../../src/core/reasons.ts";
import { nameOf, type Row } from "./rows.ts";

/** The codes of each status; 400 and 403 have two. */
export const codesOf: Record<number, readonly ErrorCode[]> = {
  400: ["VALIDATION_ERROR", "BAD_REQUEST"],
  401: ["UNAUTHORIZED"],
  403: ["FORBIDDEN", "STEP_UP_REQUIRED"],
  404: ["NOT_FOUND"],
  409: ["CONFLICT"],
  410: ["GONE"],
  412: ["PRECONDITION_FAILED"],
  413: ["PAYLOAD_TOO_LARGE"],
  415: ["UNSUPPORTED_MEDIA_TYPE"],
  422: ["IDEMPOTENCY_KEY_REUSED"],
  429: ["RATE_LIMITED"],
  500: ["SERVER_ERROR"],
  502: ["BAD_GATEWAY"],
  503: ["TENANT_UNAVAILABLE", "UNAVAILABLE"],
};

/** Statuses of single rows that the design adds. */
const added: Record<string, readonly number[]> = {
  // A claim may have a session, which may be invalid. Claims are limited by the client's address.
  "POST /auth/org-invites/claim": [401, 429],
  // Also here; and a signed-in user links an account, which requires a step-up.
  "POST /auth/oauth/start": [401, 403],
  // The operator may let nobody sign up without an invite.
  "POST /auth/signup": [403],
  "POST /auth/signup-org": [403],
  // Redirects to a page, if requested. It may be a sign-up, too.
  "GET /auth/oauth/callback": [303, 403],
  // Also here; callers from other machines will need a session.
  // A member without the permission, or of another organization than the one in `X-Org-Id`.
  "GET /applications": [403],
  "GET /applications/{applicationId}": [403],
  // A malformed id.
  "PATCH /applications/{applicationId}/status": [404],
  "GET /debug/schedulers": [401],
  "GET /debug/schedulers/{name}": [401],
  // The body may be malformed.
  "POST /auth/logout": [400],
  // Also here; and `org` requires a membership.
  "POST /auth/establish-token": [400],
  "POST /auth/student-invites/claim": [429],
  // New codes can replace the second factor, so they require a step-up.
  "POST /auth/mfa/recovery-codes/regenerate": [403],
};

/** Anybody may add parameters to the links to these. */
const forStrangers: readonly string[] = ["GET /health", "GET /docs"];

/** They use no database. */
const withoutData: readonly string[] = ["GET /health", "GET /docs", "GET /capabilities"];

/** GETs with a credential have an ETag, and so has the reference. */
export const hasETag = (row: Row): boolean =>
  row.path === "/docs" || (row.method === "GET" && (typeof row.by === "object" || byAccount.includes(row.by)));

const byAccount: readonly unknown[] = ["user", "user-or-member", "organization", "named-organization", "admin"];

/** POSTs of session routes and of the public API take an `Idempotency-Key`. */
export const takesIdempotencyKey = (row: Row): boolean =>
  row.method === "POST" &&
  (typeof row.by === "object" || row.by === "user" || row.by === "organization" || row.by === "admin");

/** Writes of accounts are limited. */
export const countsAsWrite = (row: Row): boolean =>
  row.method !== "GET" &&
  typeof row.by === "string" &&
  ["user", "user-or-member", "organization", "admin"].includes(row.by);

/** Writes to a resource that has a GET, or that is below one. */
export const takesIfMatch = (row: Row): boolean =>
  [
    "POST /api/v1/public/events/{eventId}/replay",
    "POST /admin/addon-listings/{listingId}/approve",
    "POST /admin/addon-listings/{listingId}/reject",
    "PATCH /admin/directory/{type}/{id}",
    "PATCH /applications/{applicationId}/status",
    "DELETE /auth/sessions",
  ].includes(nameOf(row));

/** The request headers of a row besides `Authorization`. */
export const settledHeaders = (row: Row): string[] => [
  ...(typeof row.by === "object" || row.by === "named-organization" || row.by === "user-or-member" ? ["X-Org-Id"] : []),
  ...(hasETag(row) ? ["If-None-Match"] : []),
  ...(takesIfMatch(row) ? ["If-Match"] : []),
  ...(takesIdempotencyKey(row) ? ["Idempotency-Key"] : []),
];

/** Statuses that follow from the row's input and its callers. */
export function settledStatuses(row: Row): readonly number[] {
  const byKey = typeof row.by === "object";
  const inOrganization = byKey || row.by === "organization" || row.by === "named-organization";
  return [
    ...(added[nameOf(row)] ?? []),
    // An unknown query parameter; a key's limit; a missing permission or scope; records that are not available.
    ...(forStrangers.includes(nameOf(row)) ? [] : [400]),
    ...(byKey ? [429] : []),
    // A current copy; a key that is invalid, in progress, already used, or used with another body.
    ...(hasETag(row) ? [304] : []),
    ...(takesIdempotencyKey(row) ? [400, 409, 422] : []),
    // The resource has another tag.
    ...(takesIfMatch(row) ? [412] : []),
    // A cursor of what a restore has undone.
    ...(hasResumableCursor(row) ? [410] : []),
    ...(countsAsWrite(row) ? [429] : []),
    ...(inOrganization ? [403] : []),
    ...(withoutData.includes(nameOf(row)) ? [] : [503]),
    // Not a member. An unknown organization has the same response.
    ...(row.by === "organization" ? [401, 404] : []),
    ...(row.by === "named-organization" ? [401] : []),
    ...(row.method === "GET" ? [] : [413]),
    ...(row.body ? [415] : []),
    500,
  ];
}

const sessionLists: readonly string[] = [
  "GET /internal/compliance-evaluations",
  "GET /applications",
  "GET /admin/addon-listings",
];

/** The media types of a successful response. Lists of the session API are also CSV. */
export const mediaTypesOf = (row: Row): readonly string[] => [
  row.type ?? "application/json",
  ...(sessionLists.includes(nameOf(row)) ? ["text/csv"] : []),
];

/** Lists of the contract that a mirror reads. Rows that are not in its table say so: `updated_since`. */
const byChange = [
  "flights",
  "invoices",
  "pilots",
  "maintenance/work-orders",
  "planning/sessions",
  "training/signoffs",
  "vtr",
].map((path) => `GET /api/v1/public/${path}`);

/** Lists whose cursors programs keep. */
export const hasResumableCursor = (row: Row): boolean =>
  byChange.includes(nameOf(row)) ||
  row.query?.includes("updated_since") === true ||
  nameOf(row) === "GET /api/v1/public/events";

/** Query parameters besides the contract's. */
export const settledQuery = (row: Row): readonly string[] => {
  const since = byChange.includes(nameOf(row)) ? ["updated_since"] : [];
  if (nameOf(row) === "GET /internal/compliance-evaluations")
    return ["offset", "with_total", "cursor", "status", "person_id", "aircraft_id"];
  if (nameOf(row) === "GET /applications") return ["with_total", "cursor", "mine"];
  if (nameOf(row) === "GET /admin/addon-listings") return ["limit", "offset", "with_total", "cursor"];
  if (nameOf(row) === "GET /api/v1/public/planning/sessions")
    return ["with_total", "cursor", ...since, "aircraft_id", "instructor_id"];
  if (nameOf(row).endsWith("/training/signoffs")) return ["with_total", "cursor", ...since, "program_id"];
  if (row.query?.includes("offset")) return ["with_total", "cursor", ...since];
  // Other parameters of a provider (RFC 6749, 4.1.2.1; RFC 9207).
  if (nameOf(row) === "GET /auth/oauth/callback") return ["error", "iss"];
  return nameOf(row) === "GET /api/v1/public/events" ? ["cursor", "order"] : [];
};

/** Returns every status that a row's operation declares, in order. */
export const statusesOf = (row: Row): number[] =>
  [...new Set([row.success, ...row.errors, ...settledStatuses(row)])].sort((a, b) => a - b);
