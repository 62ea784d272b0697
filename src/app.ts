/** Composes the application: doors, modules, reference. It does no input or output of its own. */

import type { Config } from "./config.ts";
import type { Clock } from "./core/clock.ts";
import { createBacklogs } from "./events/backlogs.ts";
import type { Dispatcher } from "./events/dispatcher.ts";
import type { VetUrl } from "./events/outbound/vet-url.ts";
import { createAccessTokens } from "./http/access-token.ts";
import { docs } from "./http/docs.ts";
import { createHttp } from "./http/http.ts";
import type { Log } from "./http/request-log.ts";
import type { Mailer } from "./mail/mailer.ts";
import { createAccountParts } from "./modules/accounts/accounts.parts.ts";
import { accountRoutes } from "./modules/accounts/accounts.routes.ts";
import { oauthRoutes } from "./modules/accounts/oauth/oauth.routes.ts";
import type { Passwords } from "./modules/accounts/passwords/passwords.ts";
import { authenticateSession } from "./modules/accounts/sessions/authenticate-session.ts";
import { eventCatalog } from "./modules/event-catalog.ts";
import { fleetRoutes } from "./modules/fleet/fleet.routes.ts";
import { flightRoutes } from "./modules/flights/flights.routes.ts";
import { publicFlightRoutes } from "./modules/flights/public.routes.ts";
import type { ApiKeyUses } from "./modules/integrations/api-keys/api-key-uses.ts";
import { apiKeyRoutes } from "./modules/integrations/api-keys/api-keys.routes.ts";
import { authenticateApiKey } from "./modules/integrations/api-keys/authenticate-api-key.ts";
import { eventLogRoutes } from "./modules/integrations/event-log/event-log.routes.ts";
import { publicEventRoutes } from "./modules/integrations/event-log/public.routes.ts";
import { createIntegrationLimits } from "./modules/integrations/integration-limits.ts";
import type { ReplayWork } from "./modules/integrations/replays/replay-work.ts";
import { replayRoutes } from "./modules/integrations/replays/replays.routes.ts";
import { documentedWebhooks } from "./modules/integrations/webhooks/documented-webhooks.ts";
import { webhookRoutes } from "./modules/integrations/webhooks/webhooks.routes.ts";
import { debugRoutes } from "./modules/operations/debug.routes.ts";
import { metricsRoutes } from "./modules/operations/metrics.routes.ts";
import { createMetrics } from "./modules/operations/metrics.ts";
import { operationsRoutes } from "./modules/operations/operations.routes.ts";
import { membership } from "./modules/organizations/memberships.queries.ts";
import { organizationRoutes } from "./modules/organizations/organizations.routes.ts";
import { peopleRoutes } from "./modules/people/people.routes.ts";
import { publicPilotRoutes } from "./modules/people/public.routes.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";
import type { Intents } from "./storage/intents.ts";
import type { Storage } from "./storage/storage.ts";
import { usedKeys } from "./storage/used-keys.ts";

/** What the reference says of each group of routes. */
const tags = {
  Authentication: "Signing up, in and out.",
  Organizations: "An organization's settings, its members and invites.",
  Members: "Who belongs to an organization, and in which roles.",
  People: "The people of a school, with or without an account.",
  Fleet: "Aircraft and their counters.",
  Flights: "From draft to approval, rejection and reversal.",
  Integrations: "API keys, webhooks and the events they carry.",
  "Public API": "What integrators read, with an API key, and the replay of events.",
  Operational: "Health, capabilities, the audit log and this reference.",
  Webhooks:
    "What an endpoint is sent, with its own `headers` besides. Check the signature of the body as it came, answer at once and work afterwards. The same delivery can arrive twice, and after a later one: deduplicate on `X-SVC-Webhook-Delivery`.",
};

export interface AppDeps {
  config: Config;
  clock: Clock;
  log: Log;
  storage: Storage;
  intents: Intents;
  passwords: Passwords;
  mailer: Mailer;
  scheduler: Pick<Scheduler, "jobs">;
  /** Those of webhooks: how they go. */
  deliveries: Pick<Dispatcher, "stats" | "outcomes" | "known">;
  apiKeyUses: Pick<ApiKeyUses, "note">;
  replayWork: Pick<ReplayWork, "add">;
  /** Whether a webhook address may be sent to. */
  vetUrl: VetUrl;
  /** The peer's address of a request, as the runtime noted it. */
  addressOf(request: Request): string | undefined;
}

export type App = ReturnType<typeof createApp>;

export function createApp(deps: AppDeps) {
  const {
    config,
    clock,
    log,
    storage,
    intents,
    passwords,
    mailer,
    scheduler,
    apiKeyUses,
    replayWork,
    vetUrl,
    addressOf,
  } = deps;
  const { control, tenants, keys } = storage;
  const { publicUrl } = config;
  const { deliveries } = deps;
  const tenant = tenants.tenant.bind(tenants);
  const accessTokens = createAccessTokens({ key: keys.key("access-token"), issuer: publicUrl, clock });
  const backlogs = createBacklogs({
    clock,
    tenant,
    known: (most) => deliveries.known(most),
    onUnreadable: (organization_id, err) => log.warn({ organization_id, err }, "A backlog can't be read."),
  });
  const metrics = config.metrics ? createMetrics({ deliveries, backlogs }) : undefined;
  const http = createHttp({
    clock,
    control,
    tenant,
    usedKeys,
    idempotencyKey: keys.key("idempotency"),
    authenticateSession: authenticateSession({ control, clock, accessTokens }),
    membership: membership(control),
    authenticateApiKey: authenticateApiKey({ control, tenant, clock, uses: apiKeyUses }),
    apiKeyRate: config.apiKeyRate,
    log,
    onServed: metrics?.served,
    trustedProxies: config.trustedProxies,
    addressOf,
    publicUrl,
  });
  const limits = createIntegrationLimits(clock);
  const { linkUrl } = config;
  const accounts = createAccountParts({ clock, keys, passwords, accessTokens, mailer, publicUrl, linkUrl });

  return http.root
    .use(accountRoutes(http, accounts))
    .use(oauthRoutes(http, accounts, { ...config, log }))
    .use(organizationRoutes(http, { ...accounts, tenants, intents, log }))
    .use(peopleRoutes(http))
    .use(publicPilotRoutes(http))
    .use(fleetRoutes(http))
    .use(flightRoutes(http))
    .use(publicFlightRoutes(http))
    .use(apiKeyRoutes(http))
    .use(webhookRoutes(http, { vetUrl, ...limits }))
    .use(eventLogRoutes(http, limits))
    .use(replayRoutes(http, { ...limits, replayWork }))
    .use(publicEventRoutes(http, limits))
    .use(operationsRoutes(http, { ...config, mail: mailer.isConfigured }))
    .use(debugRoutes(http, { enabled: config.debugEndpoints, scheduler, deliveries, backlogs }))
    .use(metricsRoutes(http, metrics))
    .use(docs(http, { tags, webhooks: documentedWebhooks(eventCatalog.entries) }));
}
