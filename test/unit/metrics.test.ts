import { expect, test } from "bun:test";
import { seconds } from "../../src/core/clock.ts";
import { createFigures } from "../../src/modules/operations/figures.ts";
import { createMetrics } from "../../src/modules/operations/metrics.ts";
import { TestClock } from "../support/clock.ts";
import { stretched } from "../support/limits.ts";

test("the metrics come within a second, with the last figures where none can be had, and with their age", async () => {
  const clock = new TestClock();
  const never = new Promise<never>(() => undefined);
  let isDown = false;
  const metrics = createMetrics({
    clock,
    deliveries: {
      stats: () => ({ inFlight: 0, slow: 0, waiting: 0, active: 0, scheduled: 0 }),
      outcomes: () => new Map(),
    },
    backlogs: { refresh: () => (isDown ? never : Promise.resolve()), known: () => [] },
    tenants: { stats: () => ({ open: 3, unavailable: 0 }) },
    disk: { space: () => undefined },
    figures: createFigures({
      clock,
      newestBackup: () => (isDown ? never : Promise.resolve(null)),
      failedJobs: () => (isDown ? never : Promise.resolve(new Map([["backup", true]]))),
      files: () => (isDown ? never : Promise.resolve({ schools: 3, sum: 6000, largest: 3000, bySchool: new Map() })),
      suspended: async () => 2,
      standby: async () => true,
      scrubs: () => (isDown ? never : Promise.resolve({ damaged: 2, oldest: null })),
      descriptors: { open: async () => (isDown ? undefined : 40), limit: async () => 1024 },
      examine: async () => [],
    }),
    mails: () => ({ waiting: 1, sent: 5, failed: 2, dropped: 0 }),
    eInvoices: () => 4,
    certificate: async () => ({ from: new Date(1_000_000), until: new Date(4_600_000) }),
    memory() {
      if (isDown) throw new Error("EMFILE");
      return { rss: 1000, heapUsed: 500 };
    },
  });
  const series = async () => (await metrics.text()).split("\n").filter((line) => /^(process|windsock)_/.test(line));
  const before = await series();
  expect(before).toEqual(
    expect.arrayContaining([
      ...["process_open_fds 40", "process_max_fds 1024", "process_resident_memory_bytes 1000"],
      ...["windsock_backup_newest_timestamp_seconds 0", 'windsock_job_failed{job="backup"} 1'],
      ...[
        "windsock_schools 3",
        "windsock_suspended_schools 2",
        "windsock_standby 1",
        "windsock_databases_bytes 6000",
        "windsock_largest_school_bytes 3000",
      ],
      ...["windsock_certificate_expiry_timestamp_seconds 4600", "windsock_certificate_lifetime_seconds 3600"],
      ...["windsock_mails_waiting 1", 'windsock_mails_total{outcome="failed"} 2', "windsock_e_invoices_waiting 4"],
      ...["windsock_scrub_damaged 2", 'windsock_metrics_age_seconds{part="scrubs"} 0'],
    ]),
  );
  expect(before.join()).not.toContain("windsock_disk_free_bytes"); // the system does not tell

  isDown = true;
  clock.advance(seconds(90));
  const start = performance.now();
  const after = await series();
  expect(performance.now() - start).toBeLessThan(stretched(1000));
  expect(after).toEqual(
    expect.arrayContaining([
      ...["windsock_open_tenants 3", "process_resident_memory_bytes 1000", "windsock_scrub_damaged 2"],
      'windsock_metrics_age_seconds{part="memory"} 90',
      'windsock_metrics_age_seconds{part="scrubs"} 90',
    ]),
  );
  expect(after.join()).not.toContain("process_open_fds");
});
