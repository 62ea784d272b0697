/** What the contract leaves open and the design settles, for every row alike or for one. */
import type { ErrorCode } from "../../src/core/errors.ts";
import { nameOf, type Row } from "./rows.ts";

/** The label of each status; 400 and 403 have two. */
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
  // A claim may come with a session, so it may come with a bad one.
  "POST /auth/org-invites/claim": [401],
  // As there: whoever is signed in links, which takes a step-up.
  "POST /auth/oauth/start": [401, 403],
  // Back to a page, where that was wished for.
  "GET /auth/oauth/callback": [303],
  // As there; whoever may look from elsewhere will have a session.
  "GET /debug/schedulers": [401],
  "GET /debug/schedulers/{name}": [401],
  // The body may be malformed here as anywhere.
  "POST /auth/logout": [400],
  // As there; and `org` takes a membership.
  "POST /auth/establish-token": [400],
  // Both ask the organization's records for the person.
  "GET /auth/student-invites/{token}": [503],
  "POST /auth/student-invites/claim": [503],
  // New codes are a way round the second factor: they take one that was just shown.
  "POST /auth/mfa/recovery-codes/regenerate": [403],
};

/** What a key reads has a tag. */
export const hasETag = (row: Row): boolean => typeof row.by === "object" && row.method === "GET";

/** What a session does is done once for each `Idempotency-Key`. */
export const takesIdempotencyKey = (row: Row): boolean =>
  row.method === "POST" && (row.by === "user" || row.by === "organization" || row.by === "admin");

/** Headers that a row's requests may carry beside `Authorization`. */
export const settledHeaders = (row: Row): string[] => [
  ...(typeof row.by === "object" ? ["X-Org-Id"] : []),
  ...(hasETag(row) ? ["If-None-Match"] : []),
  ...(takesIdempotencyKey(row) ? ["Idempotency-Key"] : []),
];

/** Statuses that follow from what a row is: what it reads, and who may call it. */
export function settledStatuses(row: Row): readonly number[] {
  const byKey = typeof row.by === "object";
  const inOrganization = byKey || row.by === "organization";
  return [
    ...(added[nameOf(row)] ?? []),
    // A query that is not valid; a key's limit; whoever is not permitted, or lacks the scope; records out of reach.
    ...(byKey && row.query ? [400] : []),
    ...(byKey ? [429] : []),
    // Whoever has the present answer; a key that is none, is under way or done with, or came with another body.
    ...(hasETag(row) ? [304] : []),
    ...(takesIdempotencyKey(row) ? [400, 409, 422] : []),
    ...(inOrganization ? [403, 503] : []),
    // No member; an organization that is not there looks the same.
    ...(row.by === "organization" ? [401, 404] : []),
    ...(row.method === "GET" ? [] : [413]),
    ...(row.body ? [415] : []),
    500,
  ];
}

/** Parameters of a row's query beside the contract's. */
export const settledQuery = (row: Row): readonly string[] => {
  if (row.query?.includes("offset")) return ["with_total", "cursor"];
  // What else a provider may say (RFC 6749, 4.1.2.1; RFC 9207).
  if (nameOf(row) === "GET /auth/oauth/callback") return ["error", "iss"];
  return nameOf(row) === "GET /api/v1/public/events" ? ["cursor"] : [];
};

/** Every status a row's operation declares, in order. */
export const statusesOf = (row: Row): number[] =>
  [...new Set([row.success, ...row.errors, ...settledStatuses(row)])].sort((a, b) => a - b);
