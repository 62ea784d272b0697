/** The list of modules, and everything built from it. */
import type { Config } from "./config.ts";
import type { Capability } from "./core/capabilities.ts";
import type { Clock, Instant } from "./core/clock.ts";
import type { Finding } from "./core/finding.ts";
import { createCatalog } from "./events/catalog.ts";
import * as eventsTables from "./events/events.tables.ts";
import * as identityTables from "./identity/identity.tables.ts";
import type { DiagnosisServices, JobServices, JobSettings, Module, Services } from "./module.ts";
import { accounts } from "./modules/accounts/accounts.module.ts";
import type { AccountParts } from "./modules/accounts/accounts.parts.ts";
import { addons } from "./modules/addons/addons.module.ts";
import { attachments } from "./modules/attachments/attachments.module.ts";
import { changes } from "./modules/changes/changes.module.ts";
import { clearance } from "./modules/clearance/clearance.module.ts";
import { compliance } from "./modules/compliance/compliance.module.ts";
import { directory } from "./modules/directory/directory.module.ts";
import { evidence } from "./modules/evidence/evidence.module.ts";
import type { EInvoices } from "./modules/finance/documents/e-invoice.ts";
import { finance } from "./modules/finance/finance.module.ts";
import { fleet } from "./modules/fleet/fleet.module.ts";
import { fleetStatus } from "./modules/fleet-status/fleet-status.module.ts";
import { flights } from "./modules/flights/flights.module.ts";
import { integrations } from "./modules/integrations/integrations.module.ts";
import type { ReplayRunner } from "./modules/integrations/replays/replay-runner.ts";
import { logbooks } from "./modules/logbooks/logbooks.module.ts";
import { mails } from "./modules/mails/mails.module.ts";
import { maintenance } from "./modules/maintenance/maintenance.module.ts";
import { marketplace } from "./modules/marketplace/marketplace.module.ts";
import { moving } from "./modules/moving/moving.module.ts";
import { notifications } from "./modules/notifications/notifications.module.ts";
import type { Figures } from "./modules/operations/figures.ts";
import type { Metrics } from "./modules/operations/metrics.ts";
import { operations } from "./modules/operations/operations.module.ts";
import { organizations } from "./modules/organizations/organizations.module.ts";
import { people } from "./modules/people/people.module.ts";
import { planning } from "./modules/planning/planning.module.ts";
import { privacy } from "./modules/privacy/privacy.module.ts";
import { reports } from "./modules/reports/reports.module.ts";
import { revalidation } from "./modules/revalidation/revalidation.module.ts";
import { rules } from "./modules/rules/rules.module.ts";
import { search } from "./modules/search/search.module.ts";
import { sharing } from "./modules/sharing/sharing.module.ts";
import { today } from "./modules/today/today.module.ts";
import { training } from "./modules/training/training.module.ts";
import type { Job } from "./scheduler/job.ts";
import * as schedulerTables from "./scheduler/scheduler.tables.ts";
import * as controlTables from "./storage/control.tables.ts";
import type { Finder } from "./storage/finder.ts";
import { createIntents, type Intents } from "./storage/intents.ts";
import { followersOf } from "./storage/occasions.ts";
import * as sharedTables from "./storage/shared.tables.ts";
import type { Storage } from "./storage/storage.ts";
import type { StorageLog } from "./storage/storage-log.ts";
import type { Kind, Reader, Tables } from "./storage/store.ts";
import { suspendedSince } from "./storage/suspended.ts";
import * as tenantTables from "./storage/tenant.tables.ts";

/** What the application makes for the routes of single modules. */
export interface RouteServices extends Services {
  config: Config;
  accounts: AccountParts;
  /** Makes e-invoices, in a process of its own. */
  eInvoices: EInvoices;
  replayRunner: Pick<ReplayRunner, "add">;
  figures: Figures;
  /** Undefined unless the operator enabled metrics. */
  metrics: Metrics | undefined;
  /** Milliseconds between two signs of life of a stream. */
  heartbeat: number;
}

/** What the engine makes for the jobs of single modules. */
interface AllJobServices extends JobServices {
  replayRunner: ReplayRunner;
}

/** In floors: a module imports those before it, and none after it (`test/unit/floors.test.ts`). */
const byName: Readonly<Record<string, Module<RouteServices, AllJobServices>>> = {
  accounts,
  people,
  organizations,
  mails,
  fleet,
  compliance,
  rules,
  flights,
  maintenance,
  "fleet-status": fleetStatus,
  attachments,
  sharing,
  training,
  logbooks,
  finance,
  clearance,
  revalidation,
  planning,
  evidence,
  marketplace,
  integrations,
  addons,
  notifications,
  reports,
  search,
  directory,
  privacy,
  moving,
  operations,
  today,
  changes,
};

export const moduleNames = Object.keys(byName);
export const modules = Object.values(byName);

const all = <Part>(part: (module: (typeof modules)[number]) => readonly Part[] | undefined): readonly Part[] =>
  modules.flatMap((module) => part(module) ?? []);

export const eventDefinitions = all(({ events }) => events);
export const eventCatalog = createCatalog(eventDefinitions);

const intentKinds = all(({ intents }) => intents);

export const intentsOf = (
  { control, leases, tenants }: Pick<Storage, "control" | "leases" | "tenants">,
  log: StorageLog,
): Intents => createIntents({ control, leases, tenant: (id) => tenants.tenant(id), kinds: intentKinds, log });

export const personalData = modules.flatMap(({ personal }) => personal ?? []);

export const moved = modules.flatMap((module) => module.moved ?? []);

export const changeKinds = all((module) => module.changes);

export const followers = followersOf(Object.entries(byName).map(([name, { follows = [] }]) => ({ name, follows })));

const diagnoses = all((module) => module.diagnoses);

/** Returns what all modules find, in their order. */
export const examineModules = async (services: DiagnosisServices): Promise<Finding[]> =>
  (await Promise.all(diagnoses.map((examine) => examine(services)))).flat();

export const jobs = all((module) => module.jobs);

export const jobsWith = (services: AllJobServices): readonly Job[] =>
  jobs.map((job) => ({
    ...job,
    schedule: job.configuredSchedule?.(services) ?? job.schedule,
    run: (now, start) => job.run(services, now, start),
  }));

/**
 * Returns when a tenant next has due work: the earliest time of all jobs. Storage calls this at each checkpoint and stores
 * the time, so a tenant without due work is not opened.
 */
export const nextWake =
  (clock: Clock, settings: JobSettings) =>
  async (reader: Reader<"tenant">): Promise<Instant | null> => {
    const times: Instant[] = [];
    const isSuspended = (await suspendedSince(reader)) !== null;
    for (const { due, whileSuspended } of jobs) {
      if (isSuspended && whileSuspended !== true) continue;
      const at = await due(reader, { now: clock.now(), settings });
      if (at !== null) times.push(at);
    }
    return times.sort()[0] ?? null;
  };

/** Returns the capabilities that the operator did not disable. */
export const capabilitiesOf = (disabled: ReadonlySet<string>): ReadonlySet<Capability> =>
  new Set(
    [...modules.flatMap(({ capability = [] }) => capability), "console" as const].filter((name) => !disabled.has(name)),
  );

/** Returns what the modules find that the operator did not disable. */
export const findersOf = (capabilities: ReadonlySet<Capability>): readonly Finder[] =>
  modules.flatMap(({ capability, search = [] }) => (capability && !capabilities.has(capability) ? [] : search));

/** Every table, by database. Migrations are generated from these. */
export const tables: Record<Kind, Tables> = {
  control: {
    ...{ ...sharedTables, ...controlTables, auditLog: controlTables.auditLog },
    ...{ ...schedulerTables, ...identityTables, ...tablesOf("control") },
  },
  tenant: { ...sharedTables, ...tenantTables, ...eventsTables, ...tablesOf("tenant") },
};

function tablesOf(kind: Kind): Tables {
  return Object.assign({}, ...modules.map((module) => module.tables?.[kind]));
}

/** The order of the tags in the API reference: that of the pages in docs/. */
const topics = [
  "Authentication",
  "Organizations",
  "Members",
  "People",
  "Fleet",
  "Flights",
  "Attachments",
  "Clearance",
  "Compliance",
  "Maintenance",
  "Logbooks",
  "Training",
  "Evidence packs",
  "Verification",
  "Sharing",
  "Planning",
  "Reports",
  "Search",
  "Today",
  "Changes",
  "Finance",
  "Marketplace",
  "Add-ons",
  "Directory",
  "Integrations",
  "Public API",
  "Webhooks",
  "Notifications",
  "Operational",
];

/** Descriptions of tags in the API reference, in its order. */
export const tags: Readonly<Record<string, string>> = Object.fromEntries(
  modules
    .flatMap((module) => Object.entries(module.tags ?? {}))
    .sort(([a], [b]) => topics.indexOf(a) - topics.indexOf(b)),
);
