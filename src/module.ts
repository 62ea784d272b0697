/**
 * The value that each module (a domain under `modules/`) exports. `modules.ts` lists it once. The application, the jobs,
 * the event catalog, the intents, `/capabilities` and the migrations are built from that list.
 */
import type { Background } from "./core/background.ts";
import type { Capability } from "./core/capabilities.ts";
import type { Clock } from "./core/clock.ts";
import type { KeyRing } from "./core/crypto.ts";
import type { Finding } from "./core/finding.ts";
import type { OrgId } from "./core/ids.ts";
import type { Backlogs } from "./events/backlogs.ts";
import type { AnyEventDefinition, EventCatalog } from "./events/catalog.ts";
import type { Dispatcher, SweepResult } from "./events/dispatcher.ts";
import type { VetUrl } from "./events/outbound/vet-url.ts";
import type { Http } from "./http/http.ts";
import type { Log } from "./http/request-log.ts";
import type { RoutePlugin } from "./http/route.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { JobDefinition } from "./scheduler/job.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";
import type { Backups } from "./storage/backup/backups.ts";
import type { Backup, Keep } from "./storage/backup/places.ts";
import type { ChangeKind } from "./storage/change-kinds.ts";
import type { Inspection } from "./storage/check/inspection.ts";
import type { Finder } from "./storage/finder.ts";
import type { AnyIntentKind, Intents } from "./storage/intents.ts";
import type { Leases } from "./storage/leases.ts";
import type { MovedData } from "./storage/moved-data.ts";
import type { Follower } from "./storage/occasions.ts";
import type { PersonalData } from "./storage/personal-data.ts";
import type { Storage } from "./storage/storage.ts";
import type { Control, Kind, Tables, Tenant } from "./storage/store.ts";
import type { TenantStore } from "./storage/tenant-store.ts";
import type { Renewal } from "./tls/renewal.ts";

/**
 * @typeParam OfRoutes what its routes need besides `Services`: settings, and services that modules provide
 * @typeParam OfJobs   what its jobs need besides `JobServices`
 */
export interface Module<OfRoutes = unknown, OfJobs = unknown> {
  /** Its name in `/capabilities` and in `WINDSOCK_DISABLE`. A module without one can't be disabled. */
  readonly capability?: Capability;
  /** Its tables, by database. A table that is not listed gets no migration. */
  readonly tables?: { readonly [K in Kind]?: Tables };
  readonly routes?: (http: Http, services: Services & OfRoutes) => readonly RoutePlugin[];
  /** The event types that it emits. */
  readonly events?: readonly AnyEventDefinition[];
  readonly jobs?: readonly JobDefinition<JobServices & OfJobs, JobSettings>[];
  /** The kinds of intent that it writes. */
  readonly intents?: readonly AnyIntentKind[];
  /** What it keeps about people: their export and their erasure are made of the parts of all modules. */
  readonly personal?: PersonalData;
  /** What it keeps in the control database that goes with an organization to another installation. */
  readonly moved?: MovedData;
  /** What it does on occasions in modules below it, and what it answers them: see `storage/occasions.ts`. */
  readonly follows?: readonly Follower[];
  /** What it finds for the search over all records (`modules/search`). */
  readonly search?: readonly Finder[];
  /** The kinds of its records whose changes are told, and whom (`modules/changes`). */
  readonly changes?: readonly ChangeKind[];
  /** What `windsock doctor` says about it. */
  readonly diagnoses?: readonly Diagnosis[];
  /** Descriptions of its tags in the API reference. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Looks whether something is as it should be, in seconds. It changes nothing. */
export type Diagnosis = (services: DiagnosisServices) => Promise<readonly Finding[]>;

export interface DiagnosisServices {
  control: Control;
  clock: Clock;
  tenants: Pick<TenantStore, "unusable">;
  inspection: Pick<Inspection, "unowned" | "missing">;
  /** Returns the newest complete backup of the installation; null: there is none. Undefined: none are made. */
  newestBackup(): Promise<Backup | null | undefined>;
  backupSettings: Pick<BackupSettings, "place" | "command">;
  /** The directory of the databases; undefined if they are on a server. */
  dataDirectory: string | undefined;
  jobs: Scheduler["jobs"];
}

/** What the routes of all modules get, besides HTTP. */
export interface Services {
  clock: Clock;
  log: Log;
  tenants: TenantStore;
  /** Why requests fail in general, and the space of the disk. */
  storage: Pick<Storage, "control" | "fault" | "disk" | "commits" | "leases" | "moves" | "keys">;
  intents: Intents;
  background: Background;
  scheduler: Pick<Scheduler, "jobs">;
  deliveries: Pick<Dispatcher, "stats" | "outcomes" | "organizations">;
  backlogs: Backlogs;
  /** Checks whether a webhook may be sent to an address. */
  vetUrl: VetUrl;
  /** Lets a request wait for its response longer than the runtime would, until the result is disposed of. */
  keepOpen(request: Request): Disposable | undefined;
  catalog: EventCatalog;
  /** In the order of the modules, too. */
  moved: readonly MovedData[];
  /** In the order of the modules: the rows of a module refer to those of modules before it. */
  personal: readonly PersonalData[];
  /** Of the modules that the operator did not disable, in the order of the modules. */
  finders: readonly Finder[];
  /** The kinds of records whose changes are told. */
  changeKinds: readonly ChangeKind[];
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  /** Capabilities that the operator did not disable. */
  capabilities: ReadonlySet<Capability>;
}

/** The part of the configuration that jobs use. */
export interface JobSettings {
  /** Days after which events and their deliveries are deleted. */
  eventRetentionDays: number;
}

export interface BackupSettings {
  /** The directory of backups; without it, none are made by schedule. */
  place: string | undefined;
  /** A cron pattern, in UTC. */
  schedule: string;
  keep: Keep;
  /** The recipient of age that backups are encrypted to. */
  recipient: string | undefined;
  /** Whether the newest backup is tried every night. */
  drill: boolean;
  /** The operator's program that takes a finished backup elsewhere. */
  command: string | undefined;
}

/** The dependencies of a job that works in tenants. */
export type TenantJobServices = Pick<JobServices, "control" | "tenant" | "clock" | "log" | "settings">;

/** What the jobs of all modules get. */
export interface JobServices {
  control: Control;
  tenant(id: OrgId): Tenant;
  clock: Clock;
  log: { error(details: Record<string, unknown>, message: string): void };
  intents: Intents;
  /** Finds and makes the deliveries that are due and not in progress. */
  sweep(): Promise<SweepResult>;
  mailer: Mailer;
  /** The address of the installation, for mails and evidence packs. */
  publicUrl: string;
  /** Bytes of files for each organization. */
  attachmentQuota: number;
  tenants: Pick<TenantStore, "outdated" | "migrate" | "remove" | "unusable">;
  inspection: Inspection;
  backups: Backups;
  backupSettings: BackupSettings;
  keys: KeyRing;
  /** Of the certificate; undefined unless it is obtained by ACME. */
  renewal: Renewal | undefined;
  /** Waits before the next piece of work that requests do not need, longer while the server is busy. */
  pause: () => Promise<void>;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  /** For work that another process may begin as well. */
  leases: Leases;
  settings: JobSettings;
}
