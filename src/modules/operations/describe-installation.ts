import process from "node:process";
import type { z } from "zod";
import program from "../../../package.json" with { type: "json" };
import { atMost } from "../../core/async.ts";
import type { Instant } from "../../core/clock.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { BackupSettings } from "../../module.ts";
import { recentRuns } from "../../scheduler/history.ts";
import type { Scheduler } from "../../scheduler/scheduler.ts";
import { tenantLimits } from "../../storage/descriptors.ts";
import type { DiskMonitor } from "../../storage/disk-space.ts";
import { migrationsOf } from "../../storage/migrations-of.ts";
import type { Control } from "../../storage/store.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import { runOut } from "./debug.queries.ts";
import { runtimeName } from "./doctor/surroundings.ts";
import type { Figures } from "./figures.ts";
import type { Installation } from "./installation.schemas.ts";

export interface InstallationSettings {
  publicUrl: string;
  waitForLock: boolean;
  /** In bytes. */
  diskWarning: number;
  apiKeyRate: number;
  writeRate: number;
  attachmentQuota: number;
  eventRetentionDays: number;
  backup: BackupSettings;
}

export interface InstallationSources {
  startedAt: Instant;
  settings: InstallationSettings;
  figures: Figures;
  disk: Pick<DiskMonitor, "space" | "state">;
  tenants: Pick<TenantStore, "stats">;
  scheduler: Pick<Scheduler, "jobs">;
  control: Control;
  mailer: Pick<Mailer, "isConfigured" | "from" | "stats">;
}

type Described = z.infer<typeof Installation>;

/** Milliseconds that this waits for what has to be read. What is not there by then is older, or missing. */
const longestWait = 500;

export async function describeInstallation(sources: InstallationSources): Promise<Described> {
  const { settings, startedAt, figures, tenants } = sources;
  const { openFiles, mostFiles, files, standby } = figures;
  await atMost(longestWait, Promise.all([openFiles, mostFiles, files, standby].map((figure) => figure.refresh())));
  return {
    version: program.version,
    runtime: runtimeName(),
    platform: `${process.platform} ${process.arch}`,
    schema_version: migrationsOf.tenant.length,
    started_at: startedAt,
    public_url: settings.publicUrl,
    waits_for_lock: settings.waitForLock,
    has_standby: standby.value ?? null,
    disk: diskOf(sources),
    databases: databasesOf(figures),
    limits: {
      open_files: openFiles.value ?? null,
      most_open_files: Number.isFinite(mostFiles.value) ? (mostFiles.value ?? null) : null,
      open_schools: tenants.stats().open,
      most_open_schools: tenantLimits(mostFiles.value).maxOpen,
      api_key_rate: settings.apiKeyRate,
      write_rate: settings.writeRate,
      attachment_quota_bytes: settings.attachmentQuota,
      event_retention_days: settings.eventRetentionDays,
    },
    mails: mailsOf(sources),
    backups: await backupsOf(sources),
  };
}

function diskOf({ disk, settings }: InstallationSources): Described["disk"] {
  const space = disk.space();
  if (space === undefined) return null;
  return {
    ...{ free_bytes: space.free, size_bytes: space.size, warning_bytes: settings.diskWarning },
    state: disk.state(space),
  };
}

function databasesOf({ files }: Figures): Described["databases"] {
  const { value, readAt } = files;
  if (value === undefined || readAt === undefined) return null;
  return { schools: value.schools, bytes: value.sum, largest_bytes: value.largest, read_at: readAt };
}

function mailsOf({ mailer }: InstallationSources): Described["mails"] {
  if (!mailer.isConfigured) return null;
  const { waiting, sent, failed, dropped } = mailer.stats();
  return {
    from: mailer.from,
    ...{ waiting_count: waiting, sent_count: sent, failed_count: failed, dropped_count: dropped },
  };
}

async function backupsOf({
  settings,
  figures,
  scheduler,
  control,
}: InstallationSources): Promise<Described["backups"]> {
  const { place, schedule, keep, recipient, drill, command } = settings.backup;
  if (place === undefined) return null;
  await atMost(longestWait, figures.newestBackup.refresh());
  const newest = figures.newestBackup.value;
  const [run, trial] = await control.read((reader) =>
    Promise.all(["backup", "backup-drill"].map((job) => recentRuns(reader, job, 1))),
  );
  return {
    path: place,
    schedule,
    next_run_at: scheduler.jobs().find(({ name }) => name === "backup")?.nextRunAt ?? null,
    ...{ keep_count: keep.count ?? null, keep_days: keep.age ?? null },
    ...{ is_encrypted: recipient !== undefined, has_command: command !== undefined, is_drilled: drill },
    newest: newest ? newestOf(newest) : null,
    last_run: run?.map(runOut)[0] ?? null,
    last_drill: trial?.map(runOut)[0] ?? null,
  };
}

function newestOf({ path, manifest }: NonNullable<Figures["newestBackup"]["value"]>) {
  const schools = manifest.files.filter(({ database }) => database !== "control");
  return {
    path,
    ...{ started_at: manifest.started_at as Instant, finished_at: manifest.finished_at as Instant },
    bytes: manifest.files.reduce((sum, file) => sum + file.bytes, 0),
    schools: schools.length,
    older_copies: schools.filter(({ fault }) => fault !== undefined).length,
    missing_schools: manifest.missing.length,
  };
}
