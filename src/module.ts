/**
 * What a module (a domain under `modules/`) hands to the composition: one value, listed once, in `modules.ts`. The
 * application, the jobs, the event catalog, the intents, `/capabilities` and the migrations are built from that list.
 */
import type { Config } from "./config.ts";
import type { Clock } from "./core/clock.ts";
import type { OrgId } from "./core/ids.ts";
import type { createBacklogs } from "./events/backlogs.ts";
import type { AnyEventDefinition, EventCatalog } from "./events/catalog.ts";
import type { Dispatcher, Swept } from "./events/dispatcher.ts";
import type { VetUrl } from "./events/outbound/vet-url.ts";
import type { Http } from "./http/http.ts";
import type { Log } from "./http/request-log.ts";
import type { RoutePlugin } from "./http/route.ts";
import type { AccountParts } from "./modules/accounts/accounts.parts.ts";
import type { ApiKeyUses } from "./modules/integrations/api-keys/api-key-uses.ts";
import type { ReplayRunner } from "./modules/integrations/replays/replay-runner.ts";
import type { Capability } from "./modules/operations/capabilities.ts";
import type { Metrics } from "./modules/operations/metrics.ts";
import type { JobDefinition } from "./scheduler/job.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";
import type { AnyIntentKind, Intents } from "./storage/intents.ts";
import type { Control, Kind, Tables, Tenant } from "./storage/store.ts";
import type { TenantStore } from "./storage/tenant-store.ts";

export interface Module {
  /** Its name in `/capabilities` and in `WINDSOCK_DISABLE`; a module without one is always there. */
  readonly capability?: Capability;
  /** Its tables, by the database that has them. A table that is not listed gets no migration. */
  readonly tables?: { readonly [K in Kind]?: Tables };
  routes?(http: Http, services: Services): readonly RoutePlugin[];
  /** The types of event that it emits. */
  readonly events?: readonly AnyEventDefinition[];
  readonly jobs?: readonly JobDefinition<JobServices, JobSettings>[];
  /** The kinds of message that it leaves in one database for the other. */
  readonly intents?: readonly AnyIntentKind[];
  /** What the API reference says about its groups of routes. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** What routes are made with, besides HTTP. */
export interface Services {
  config: Config;
  clock: Clock;
  log: Log;
  tenants: TenantStore;
  intents: Intents;
  accounts: AccountParts;
  scheduler: Pick<Scheduler, "jobs">;
  deliveries: Pick<Dispatcher, "stats" | "outcomes" | "known">;
  backlogs: ReturnType<typeof createBacklogs>;
  /** Undefined unless the operator switched metrics on. */
  metrics: Metrics | undefined;
  apiKeyUses: Pick<ApiKeyUses, "note">;
  replayRunner: Pick<ReplayRunner, "add">;
  /** Whether a webhook address may be sent to. */
  vetUrl: VetUrl;
  catalog: EventCatalog;
  /** What this version has and the operator did not switch off. */
  capabilities: ReadonlySet<Capability>;
}

/** What the operator's configuration says about jobs. */
export type JobSettings = Pick<Config, "eventRetentionDays">;

/** What every job that works in tenants runs with. */
export type TenantJobServices = Pick<JobServices, "control" | "tenant" | "clock" | "log" | "settings">;

/** What jobs run with. */
export interface JobServices {
  control: Control;
  tenant(id: OrgId): Tenant;
  clock: Clock;
  log: { error(details: Record<string, unknown>, message: string): void };
  intents: Intents;
  /** Finds the deliveries that are due and that nothing is working on, and makes them. */
  sweep(): Promise<Swept>;
  replayRunner: ReplayRunner;
  settings: JobSettings;
}
