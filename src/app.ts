/** Composes the application from the HTTP layer, the modules' routes and the API reference. Does no input or output. */

import type { Config } from "./config.ts";
import type { Background } from "./core/background.ts";
import type { Clock } from "./core/clock.ts";
import type { ConsoleBundle } from "./core/console-bundle.ts";
import type { Finding } from "./core/finding.ts";
import type { OrgId } from "./core/ids.ts";
import type { Spans } from "./core/trace.ts";
import { createBacklogs } from "./events/backlogs.ts";
import { createAccessTokens } from "./http/access-token.ts";
import { consolePages } from "./http/console.ts";
import { docs } from "./http/docs.ts";
import { createHttp } from "./http/http.ts";
import { throwInvalidInput } from "./http/input.ts";
import { membership } from "./identity/memberships.queries.ts";
import { countSuspended, suspensionOf } from "./identity/suspensions.queries.ts";
import type { Mailer } from "./mail/mailer.ts";
import { createAccountParts } from "./modules/accounts/accounts.parts.ts";
import type { PasswordService } from "./modules/accounts/passwords/passwords.ts";
import { authenticateSession } from "./modules/accounts/sessions/authenticate-session.ts";
import { usualHeartbeat } from "./modules/changes/streams.ts";
import type { ApiKeyUses } from "./modules/integrations/api-keys/api-key-uses.ts";
import { authenticateApiKey } from "./modules/integrations/api-keys/authenticate-api-key.ts";
import { documentedEventData, documentedWebhooks } from "./modules/integrations/webhooks/documented-webhooks.ts";
import { createFigures } from "./modules/operations/figures.ts";
import type { createMetrics } from "./modules/operations/metrics.ts";
import { newestBackupIn } from "./modules/operations/newest-backup.ts";
import { applyIntentsWith } from "./modules/organizations/organizations.deps.ts";
import {
  capabilitiesOf,
  changeKinds,
  eventCatalog,
  findersOf,
  modules,
  moved,
  personalData,
  type RouteServices,
  tags,
} from "./modules.ts";
import { descriptorLimit, openDescriptors } from "./runtime/descriptor-limit.ts";
import { failedLast } from "./scheduler/history.ts";
import { nameActor } from "./storage/account-names.ts";
import { beginningWith } from "./storage/beginning-with.ts";
import { applyingIntents } from "./storage/intents.ts";
import { scrubStats } from "./storage/scrubs.ts";
import type { Storage } from "./storage/storage.ts";
import { refuseSuspended } from "./storage/suspended.ts";
import { usedKeys } from "./storage/used-keys.ts";
import { validityOf } from "./tls/validity.ts";

export interface AppDeps
  extends Pick<
    RouteServices,
    "intents" | "scheduler" | "deliveries" | "replayRunner" | "vetUrl" | "eInvoices" | "keepOpen" | "log" | "stopping"
  > {
  config: Config;
  clock: Clock;
  apiKeyUses: Pick<ApiKeyUses, "note">;
  storage: Storage;
  passwords: PasswordService;
  mailer: Mailer;
  background: Background;
  /** Returns the peer's address of a request, which the runtime recorded. */
  addressOf(request: Request): string | undefined;
  /** Given if the operator enabled metrics: the library is not loaded otherwise. */
  createMetrics?: typeof createMetrics | undefined;
  /** Milliseconds between two signs of life of a stream of changes. */
  heartbeat?: number | undefined;
  /** Looks whether the server and its data are as they should be. */
  examine(): Promise<readonly Finding[]>;
  /** Given if the operator has spans exported. */
  spans?: Spans | undefined;
  /** Returns the console's files. */
  console(): Promise<ConsoleBundle>;
}

export type App = ReturnType<typeof createApp>;

export function createApp({ config, clock, log, storage, passwords, mailer, background, addressOf, ...deps }: AppDeps) {
  const { control, tenants, keys, buckets } = storage;
  const { publicUrl, linkUrl } = config;
  const applyIntents = applyIntentsWith({ intents: deps.intents, log });
  const tenant = (id: OrgId) => applyingIntents(tenants.tenant(id), applyIntents);
  const accessTokens = createAccessTokens({ key: keys.key("access-token"), issuer: publicUrl, clock });
  const backlogs = createBacklogs({
    clock,
    tenant,
    organizations: (limit) => deps.deliveries.organizations(limit),
    onUnreadable: (organization_id, err) => log.warn({ organization_id, err }, "A backlog can't be read."),
  });
  const figures = createFigures({
    clock,
    scrubs: () => control.read(scrubStats),
    newestBackup: newestBackupIn(storage.backups, config.backup),
    failedJobs: () => control.read(failedLast),
    suspended: () => control.read(countSuspended),
    files: storage.fileSizes,
    standby: storage.hasStandby,
    descriptors: { open: openDescriptors, limit: descriptorLimit },
    examine: deps.examine,
  });
  const metrics = deps.createMetrics?.({
    clock,
    deliveries: deps.deliveries,
    backlogs,
    tenants,
    disk: storage.disk,
    figures,
    mails: () => mailer.stats(),
    eInvoices: () => deps.eInvoices.waiting(),
    certificate: () => validityOf(config),
  });
  const http = createHttp({
    clock,
    control,
    tenant(id, actor, whileSuspended) {
      return beginningWith(tenant(id), [...(whileSuspended ? [] : [refuseSuspended]), nameActor(actor)]);
    },
    suspension: (orgId) => control.read((reader) => suspensionOf(reader, orgId)),
    usedKeys,
    isShared: storage.isShared,
    idempotencyKey: keys.key("idempotency"),
    authenticateSession: authenticateSession({ control, clock, accessTokens }),
    membership: membership(control),
    authenticateApiKey: authenticateApiKey({ control, tenant, clock, uses: deps.apiKeyUses }),
    apiKeyRate: config.apiKeyRate,
    writeRate: config.writeRate,
    log,
    onServed: metrics?.served,
    trustedProxies: config.trustedProxies,
    addressOf,
    keepOpen: deps.keepOpen,
    publicUrl,
    spans: deps.spans,
    trustsTraceparent: config.trustsTraceparent,
    logSample: config.logSample,
  });
  const capabilities = capabilitiesOf(config.disabled);
  const services: RouteServices = {
    ...deps,
    config,
    clock,
    log,
    tenants,
    storage,
    background,
    accounts: createAccountParts({
      ...{ clock, keys, passwords, accessTokens, mailer, background, publicUrl, linkUrl },
      buckets,
      signUp: config.signUp,
    }),
    backlogs,
    figures,
    metrics,
    catalog: eventCatalog,
    personal: personalData,
    moved,
    finders: findersOf(capabilities),
    changeKinds,
    heartbeat: deps.heartbeat ?? usualHeartbeat,
    capabilities,
  };
  // A loop, not a chain: each `.use` of a chain would make the compiler merge the types of all routes before it.
  for (const { capability, routes } of modules) {
    if (capability && !services.capabilities.has(capability)) continue;
    for (const plugin of routes?.(http, services) ?? []) http.root.use(plugin);
  }
  if (services.capabilities.has("console")) http.root.use(consolePages(http, deps.console));
  http.root.use(
    docs(http, {
      tags,
      get webhooks() {
        return documentedWebhooks(eventCatalog.entries);
      },
      get schemas() {
        return documentedEventData(eventCatalog.entries);
      },
      publicUrl: services.config.publicUrl,
    }),
  );
  throwInvalidInput(http.root.routes);
  return http.root;
}
