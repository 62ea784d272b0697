/** What `/metrics` says, in Prometheus' text format: how the process does, how requests went, what waits to be delivered. */
import { performance } from "node:perf_hooks";
import process from "node:process";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { OrganizationBacklog } from "../../events/backlogs.ts";
import type { Dispatcher } from "../../events/dispatcher.ts";
import type { Served } from "../../http/root.ts";

interface MetricsOptions {
  deliveries: Pick<Dispatcher, "stats" | "outcomes">;
  backlogs: () => Promise<OrganizationBacklog[]>;
}

export interface Metrics {
  /** Counts a request. */
  served(request: Served): void;
  text(): Promise<string>;
}

/** Anybody can make up a method; each would be a series of its own. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function createMetrics({ deliveries, backlogs }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });

  const requests = new Histogram({
    name: "windsock_http_request_duration_seconds",
    help: "Requests by route and status, and how long they took.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });

  gauge(
    "windsock_event_loop_lag_seconds",
    "The longest that the event loop was held up since the last look.",
    eventLoopLag(),
  );
  gauge("process_resident_memory_bytes", "Memory that the process holds.", () => process.memoryUsage().rss);
  gauge("windsock_heap_used_bytes", "Of that, objects of the program.", () => process.memoryUsage().heapUsed);
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Time on a processor.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });

  gauge("windsock_webhook_in_flight", "Attempts under way.", () => deliveries.stats().inFlight);
  gauge("windsock_webhook_slow", "Attempts under way that take long.", () => deliveries.stats().slow);
  gauge("windsock_webhook_waiting", "Deliveries claimed that wait for a slot.", () => deliveries.stats().waiting);
  gauge("windsock_webhook_active", "Organizations being delivered for.", () => deliveries.stats().active);
  gauge(
    "windsock_webhook_scheduled",
    "Organizations in which deliveries become due later.",
    () => deliveries.stats().scheduled,
  );
  new Counter({
    name: "windsock_webhook_attempts_total",
    help: "Attempts that have ended, by how they did.",
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
      async collect() {
        const found = await backlogs();
        this.reset();
        for (const one of found) this.set({ organization: one.orgId }, read(one));
      },
    });
  perOrganization(
    "windsock_webhook_backlog",
    "Deliveries of an organization that have not ended, where there are any.",
    (one) => one.deliveries,
  );
  perOrganization(
    "windsock_webhook_lag_seconds",
    "For how long the oldest delivery of an organization has been due, where there are any.",
    ({ lag }) => lag,
  );

  return {
    served({ method, route, status, milliseconds }) {
      const labels = { method: methods.has(method) ? method : "other", route: route ?? "(none)", status };
      requests.observe(labels, milliseconds / 1000);
    },
    text: () => registry.metrics(),
  };
}

/** How often the event loop is looked at: it costs nothing to speak of, and a stall of half a second can't hide. */
const lookEvery = 250;

/** @returns what tells, in seconds, by how much a timer was late at most since it was last asked */
function eventLoopLag(): () => number {
  let longest = 0;
  let due = performance.now() + lookEvery;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - due);
    due = now + lookEvery;
  }, lookEvery);
  timer.unref(); // it keeps no process alive
  return () => {
    const was = longest;
    longest = 0;
    return was / 1000;
  };
}
