import { webhookTest } from "../../events/webhook-test.ts";
import type { Module } from "../../module.ts";
import { apiKeyRoutes } from "./api-keys/api-keys.routes.ts";
import * as apiKeyTables from "./api-keys/api-keys.tables.ts";
import { eventLogRoutes } from "./event-log/event-log.routes.ts";
import { publicEventRoutes } from "./event-log/public.routes.ts";
import { createIntegrationLimits } from "./integration-limits.ts";
import { eventReplays, retention, secretRotation, webhookOutbox } from "./integrations.jobs.ts";
import { replayRoutes } from "./replays/replays.routes.ts";
import * as replayTables from "./replays/replays.tables.ts";
import { webhookRoutes } from "./webhooks/webhooks.routes.ts";

export const integrations = {
  capability: "integrations",
  tables: { tenant: { ...apiKeyTables, ...replayTables } },
  routes(http, { clock, vetUrl, catalog, replayWork }) {
    const limits = createIntegrationLimits(clock);
    return [
      apiKeyRoutes(http),
      webhookRoutes(http, { vetUrl, ...limits }),
      eventLogRoutes(http, { catalog, ...limits }),
      replayRoutes(http, { ...limits, replayWork }),
      publicEventRoutes(http, limits),
    ];
  },
  events: [webhookTest],
  jobs: [webhookOutbox, secretRotation, eventReplays, retention],
  tags: {
    Integrations: "API keys, webhooks and the events they carry.",
    "Public API": "What integrators read, with an API key, and the replay of events.",
    Webhooks:
      "What an endpoint is sent, with its own `headers` besides. Check the signature of the body as it came, answer at once and work afterwards. The same delivery can arrive twice, and after a later one: deduplicate on `X-SVC-Webhook-Delivery`.",
  },
} satisfies Module;
