/** The metrics of the process, of requests and of webhook deliveries, in Prometheus' text format. */
import { performance } from "node:perf_hooks";
import process from "node:process";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { atMost } from "../../core/async.ts";
import type { Clock } from "../../core/clock.ts";
import type { Backlogs, OrganizationBacklog } from "../../events/backlogs.ts";
import type { Dispatcher } from "../../events/dispatcher.ts";
import type { Served } from "../../http/request-state.ts";
import type { MailStats } from "../../mail/mailer.ts";
import type { DiskMonitor } from "../../storage/disk-space.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import type { Figures } from "./figures.ts";
import { Latest, secondsSince } from "./latest.ts";

interface MetricsOptions {
  clock: Clock;
  deliveries: Pick<Dispatcher, "stats" | "outcomes">;
  backlogs: Backlogs;
  tenants: Pick<TenantStore, "stats">;
  disk: Pick<DiskMonitor, "space">;
  figures: Figures;
  mails: () => MailStats;
  eInvoices: () => number;
  /** When the certificate of HTTPS is valid; null: there is none yet. Undefined: HTTPS is not served here. */
  certificate: () => Promise<{ from: Date; until: Date } | null | undefined>;
  /** Bytes in use. Throws where the system does not tell, on Linux without a free descriptor for `/proc`. */
  memory?: () => { rss: number; heapUsed: number };
}

export interface Metrics {
  /** Counts a request. */
  served(request: Served): void;
  text(): Promise<string>;
}

/** Other methods share a label: clients can send any method, and each label is a series. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Milliseconds that a collection waits for what has to be read. What is not there by then keeps its last value, and has an
 * age: whatever is slow or fails, the others are there, since then they are needed most.
 */
const longestWait = 500;

export function createMetrics(options: MetricsOptions): Metrics {
  const { clock, deliveries, backlogs, tenants, disk, mails, memory = () => process.memoryUsage() } = options;
  const registry = new Registry();
  const registers = [registry];
  const { figures } = options;
  const parts = {
    memory: new Latest(clock, async () => memory()),
    certificate: new Latest(clock, options.certificate),
    open_fds: figures.openFiles,
    max_fds: figures.mostFiles,
    scrubs: figures.scrubs,
    backups: figures.newestBackup,
    jobs: figures.failedJobs,
    files: figures.files,
    suspended: figures.suspended,
    standby: figures.standby,
  };
  /** @param read returns `undefined` if the figure is not known: then the series is left out */
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });

  const requests = new Histogram({
    name: "windsock_http_request_duration_seconds",
    help: "Duration of requests by method, route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });

  gauge(
    "windsock_event_loop_lag_seconds",
    "The longest delay of the event loop since the last collection.",
    eventLoopLag(),
  );
  gauge("process_resident_memory_bytes", "Resident memory of the process.", () => parts.memory.value?.rss);
  gauge("windsock_heap_used_bytes", "Used heap of the JavaScript engine.", () => parts.memory.value?.heapUsed);
  new Counter({
    name: "process_cpu_seconds_total",
    help: "CPU time of the process.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });

  gauge("process_open_fds", "Open file descriptors of the process.", () => parts.open_fds.value);
  gauge("process_max_fds", "Maximum number of open file descriptors.", () => parts.max_fds.value);
  gauge("windsock_open_tenants", "Open files of schools.", () => tenants.stats().open);
  gauge(
    "windsock_unavailable_tenants",
    "Schools whose records could not be opened or read when they were last used.",
    () => tenants.stats().unavailable,
  );

  gauge("windsock_disk_free_bytes", "Free space on the disk of the data directory.", () => disk.space()?.free);
  gauge("windsock_disk_size_bytes", "Size of the disk of the data directory.", () => disk.space()?.size);
  gauge(
    "windsock_scrub_damaged",
    "Faults that the last scrub of each database found.",
    () => parts.scrubs.value?.damaged,
  );
  gauge(
    "windsock_scrub_oldest_timestamp_seconds",
    "When the database that was not read as a whole for the longest time last was; 0: never.",
    () => parts.scrubs.value && new Date(parts.scrubs.value.oldest ?? 0).getTime() / 1000,
  );

  gauge(
    "windsock_backup_newest_timestamp_seconds",
    "The start of the newest complete backup in WINDSOCK_BACKUP_DIR; 0: there is none.",
    () => {
      const newest = parts.backups.value;
      return newest === undefined ? undefined : new Date(newest?.manifest.started_at ?? 0).getTime() / 1000;
    },
  );
  gauge(
    "windsock_certificate_expiry_timestamp_seconds",
    "When the certificate of HTTPS expires; 0: there is none yet. Not if a proxy has it.",
    () => {
      const certificate = parts.certificate.value;
      return certificate === undefined ? undefined : Number(certificate?.until ?? 0) / 1000;
    },
  );
  gauge(
    "windsock_certificate_lifetime_seconds",
    "How long the certificate of HTTPS is valid in all; 0: there is none yet. Not if a proxy has it.",
    () => {
      const certificate = parts.certificate.value;
      if (certificate === undefined) return undefined;
      return certificate === null ? 0 : (Number(certificate.until) - Number(certificate.from)) / 1000;
    },
  );
  new Gauge({
    name: "windsock_job_failed",
    help: "Whether a job, such as backup or backup-drill, has failed work that is neither done nor gone.",
    labelNames: ["job"],
    registers,
    collect() {
      this.reset();
      for (const [job, failed] of parts.jobs.value ?? []) this.set({ job }, Number(failed));
    },
  });

  gauge("windsock_schools", "Databases of schools.", () => parts.files.value?.schools);
  gauge("windsock_standby", "Whether a standby waits for the data: 1 or 0.", () => {
    const isThere = parts.standby.value;
    return isThere === undefined ? undefined : Number(isThere);
  });
  gauge("windsock_suspended_schools", "Schools that are suspended.", () => parts.suspended.value);
  gauge("windsock_databases_bytes", "Size of all databases with their journals.", () => parts.files.value?.sum);
  gauge("windsock_largest_school_bytes", "Size of the largest database.", () => parts.files.value?.largest);

  gauge("windsock_mails_waiting", "Mails that are being sent, or wait for it.", () => mails().waiting);
  new Counter({
    name: "windsock_mails_total",
    help: "Mails since the start, by outcome.",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      const { waiting: _, ...counts } = mails();
      for (const [outcome, count] of Object.entries(counts)) this.inc({ outcome }, count);
    },
  });
  gauge("windsock_e_invoices_waiting", "E-invoices that are being made, or wait for it.", options.eInvoices);

  gauge("windsock_webhook_in_flight", "Attempts in progress.", () => deliveries.stats().inFlight);
  gauge("windsock_webhook_slow", "Attempts in progress that are slow.", () => deliveries.stats().slow);
  gauge("windsock_webhook_waiting", "Claimed deliveries that wait for a slot.", () => deliveries.stats().waiting);
  gauge("windsock_webhook_active", "Organizations with claimed deliveries.", () => deliveries.stats().active);
  gauge(
    "windsock_webhook_scheduled",
    "Organizations with deliveries that are due later.",
    () => deliveries.stats().scheduled,
  );
  new Counter({
    name: "windsock_webhook_attempts_total",
    help: "Finished attempts by outcome.",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of deliveries.outcomes()) this.inc({ outcome }, count);
    },
  });

  const perOrganization = (name: string, help: string, read: (backlog: OrganizationBacklog) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["organization"],
      registers,
      collect() {
        this.reset();
        for (const one of backlogs.known()) this.set({ organization: one.orgId }, read(one));
      },
    });
  perOrganization("windsock_webhook_backlog", "Unfinished deliveries of an organization.", (one) => one.deliveries);
  perOrganization(
    "windsock_webhook_lag_seconds",
    "For how long the oldest delivery of an organization has been due.",
    ({ lag }) => lag,
  );
  perOrganization(
    "windsock_webhook_backlog_age_seconds",
    "For how long the backlog of an organization could not be read anew.",
    ({ readAt }) => secondsSince(clock, readAt),
  );
  new Gauge({
    name: "windsock_metrics_age_seconds",
    help: "For how long a part of these metrics could not be read anew. A part without an age was never read.",
    labelNames: ["part"],
    registers,
    collect() {
      this.reset();
      for (const [part, { age }] of Object.entries(parts)) if (age !== undefined) this.set({ part }, age);
    },
  });

  return {
    served({ method, route, status, milliseconds }) {
      const labels = { method: methods.has(method) ? method : "other", route: route ?? "(none)", status };
      requests.observe(labels, milliseconds / 1000);
    },
    async text() {
      await atMost(longestWait, Promise.all([backlogs, ...Object.values(parts)].map((part) => part.refresh())));
      return registry.metrics();
    },
  };
}

/** Milliseconds between two samples of the event loop. The cost is negligible, and a stall of half a second is measured. */
const sampleInterval = 250;

/** @returns a function that returns the longest delay of a timer since its last call, in seconds */
function eventLoopLag(): () => number {
  let longest = 0;
  let due = performance.now() + sampleInterval;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - due);
    due = now + sampleInterval;
  }, sampleInterval);
  timer.unref(); // must not keep the process running
  return () => {
    const delay = longest;
    longest = 0;
    return delay / 1000;
  };
}
