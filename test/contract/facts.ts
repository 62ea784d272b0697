/** The contract's other tables as data: scopes, limits, headers, event types, and the work that implements the rest. */

import type { Scope } from "../../src/core/scopes.ts";

/** The scopes of a key: one read scope for each group of endpoints, one without endpoints, and one action. */
export const scopes: readonly Scope[] = [
  "public.pilots:read",
  "public.flights:read",
  "public.fleet:read",
  "public.compliance:read",
  "public.training:read",
  "public.signoffs:read",
  "public.finance:read",
  "public.invoices:read",
  "public.maintenance:read",
  "public.vtr:read",
  "public.planning:read",
  "public.events:read",
  "public.directory:read",
  "events:replay",
];

/** The default and the maximum `limit` of each list. */
export const pageLimits: Record<string, { fallback: number; max: number }> = {
  "GET /api/v1/public/flights": { fallback: 100, max: 500 },
  "GET /api/v1/public/pilots": { fallback: 100, max: 500 },
  "GET /api/v1/public/events": { fallback: 100, max: 500 },
  "GET /api/v1/public/invoices": { fallback: 100, max: 500 },
  "GET /api/v1/public/maintenance/work-orders": { fallback: 100, max: 500 },
  "GET /api/v1/public/planning/sessions": { fallback: 100, max: 500 },
  "GET /api/v1/public/training/signoffs": { fallback: 100, max: 500 },
  "GET /api/v1/public/vtr": { fallback: 100, max: 500 },
  "GET /api/v1/public/finance-summaries": { fallback: 12, max: 120 },
  "GET /applications": { fallback: 100, max: 500 },
};

/** Rates: requests at once, and per window in seconds. `limits.test.ts` reaches each. */
export const rates = {
  "login, by address and e-mail": { count: 10, seconds: 900, policy: "login" },
  "login, by address": { count: 100, seconds: 900, policy: "login-address" },
  "signup, by address": { count: 10, seconds: 3600, policy: "signup" },
  "refresh, by session": { count: 60, seconds: 60, policy: "refresh" },
  "second factor, by account": { count: 10, seconds: 900, policy: "mfa" },
  "writes, by account": { count: 6000, seconds: 60, policy: "writes" },
  "invites, by organization": { count: 200, seconds: 3600, policy: "invites" },
  "claims, by address": { count: 60, seconds: 3600, policy: "claims" },
  "hand-off tokens, by account": { count: 60, seconds: 900, policy: "establish-token" },
  "API key": { count: 600, seconds: 60, policy: "api-key" },
} as const;

export const lifetimes = {
  accessTokenSeconds: 900,
  sessionIdleSeconds: 30 * 86_400,
  sessionSeconds: 90 * 86_400,
  mfaChallengeSeconds: 300,
  stepUpSeconds: 600,
  /** Of both kinds. */
  inviteSeconds: 7 * 86_400,
  /** A hand-off token is valid for one exchange. */
  handoffSeconds: 60,
  /** The time for which both signing secrets of a webhook endpoint sign. */
  secondarySecretHours: 72,
} as const;

/** The number of wrong codes per challenge. */
export const mfaChallengeTries = 5;

export const maxBodyBytes = 64 * 1024;

/** Headers by name, and their senders. */
export const headers = {
  request: ["Authorization", "X-Org-Id", "X-Request-Id", "Idempotency-Key", "If-None-Match"],
  everyResponse: ["x-request-id"],
  unauthorized: { name: "www-authenticate", value: "Bearer" },
  rateLimited: ["retry-after"],
  tag: { name: "etag", value: /^"[0-9a-f]{16}"$/ },
  limitedRoutes: ["ratelimit", "ratelimit-policy"],
} as const;

export const eventTypes: Record<string, "stable" | "beta"> = {
  "flight.submitted": "stable",
  "flight.approved": "stable",
  "flight.rejected": "beta",
  "maintenance.alert": "beta",
  "compliance.updated": "beta",
  "training.signoff.recorded": "beta",
  "payment.received": "beta",
  "vtr.issued": "beta",
  "medical.expiring": "beta",
  "webhook.test": "stable",
};
