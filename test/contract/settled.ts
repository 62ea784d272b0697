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
  429: ["RATE_LIMITED"],
  500: ["SERVER_ERROR"],
  503: ["TENANT_UNAVAILABLE", "UNAVAILABLE"],
};

/** Statuses of single rows that the design adds. */
const added: Record<string, readonly number[]> = {
  // A claim may come with a session, so it may come with a bad one.
  "POST /auth/org-invites/claim": [401],
  // As there; whoever may look from elsewhere will have a session.
  "GET /debug/schedulers": [401],
  "GET /debug/schedulers/{name}": [401],
  // The body may be malformed here as anywhere.
  "POST /auth/logout": [400],
};

/** Statuses that follow from what a row is: what it reads, and who may call it. */
export function settledStatuses(row: Row): readonly number[] {
  const byKey = typeof row.by === "object";
  const inOrganization = byKey || row.by === "organization";
  return [
    ...(added[nameOf(row)] ?? []),
    // A query that is not valid; a key's limit; whoever is not permitted, or lacks the scope; records out of reach.
    ...(byKey && row.query ? [400] : []),
    ...(byKey ? [429] : []),
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
  if (row.query?.includes("offset")) return ["with_total"];
  return nameOf(row) === "GET /api/v1/public/events" ? ["cursor"] : [];
};

/** Every status a row's operation declares, in order. */
export const statusesOf = (row: Row): number[] =>
  [...new Set([row.success, ...row.errors, ...settledStatuses(row)])].sort((a, b) => a - b);
