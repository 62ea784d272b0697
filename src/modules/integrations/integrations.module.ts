import { webhookTest } from "../../events/webhook-test.ts";
import type { Module } from "../../module.ts";
import { seenWith } from "../../storage/change-kinds.ts";
import { apiKeyRoutes } from "./api-keys/api-keys.routes.ts";
import * as apiKeyTables from "./api-keys/api-keys.tables.ts";
import { eventLogRoutes } from "./event-log/event-log.routes.ts";
import { publicEventRoutes } from "./event-log/public.routes.ts";
import { createIntegrationLimits } from "./integration-limits.ts";
import { eventReplays, retention, secretRotation, webhookOutbox } from "./integrations.jobs.ts";
import { integrationsPersonal } from "./integrations.personal.ts";
import type { ReplayRunner } from "./replays/replay-runner.ts";
import { replayRoutes } from "./replays/replays.routes.ts";
import * as replayTables from "./replays/replays.tables.ts";
import { webhookRoutes } from "./webhooks/webhooks.routes.ts";

export const integrations = {
  capability: "integrations",
  tables: { tenant: { ...apiKeyTables, ...replayTables } },
  routes(http, { clock, vetUrl, catalog, replayRunner }) {
    const limits = createIntegrationLimits(clock);
    return [
      apiKeyRoutes(http),
      webhookRoutes(http, { vetUrl, ...limits }),
      eventLogRoutes(http, { catalog, ...limits }),
      replayRoutes(http, { ...limits, replayRunner }),
      publicEventRoutes(http, limits),
    ];
  },
  events: [webhookTest],
  jobs: [webhookOutbox, secretRotation, eventReplays, retention],
  personal: integrationsPersonal,
  changes: ["api_key", "webhook_endpoint", "event", "replay"].map((kind) => ({
    kind,
    seenBy: seenWith("integrations:manage"),
  })),
  tags: {
    Integrations: "API keys, webhook endpoints, events and their deliveries.",
    "Public API": "Data and replays of events for integrators, with an API key.",
    Webhooks:
      "The requests that Windsock sends to webhook endpoints, together with the endpoint's own `headers`. Check the signature of the raw body, respond at once and process the event afterwards. A delivery can arrive twice or after a later one: deduplicate on `X-SVC-Webhook-Delivery`.",
  },
} satisfies Module<{ replayRunner: Pick<ReplayRunner, "add"> }, { replayRunner: ReplayRunner }>;
