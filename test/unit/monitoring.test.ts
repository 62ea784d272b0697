/** The alert rules and the dashboard of `docs/monitoring` ask for figures that exist. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createFigures } from "../../src/modules/operations/figures.ts";
import { createMetrics } from "../../src/modules/operations/metrics.ts";
import { TestClock } from "../support/clock.ts";

const folder = join(import.meta.dir, "../../docs/monitoring");
const alerts = join(folder, "alerts.yml");

async function seriesOf(): Promise<Set<string>> {
  const metrics = createMetrics({
    clock: new TestClock(),
    deliveries: {
      stats: () => ({ inFlight: 0, slow: 0, waiting: 0, active: 0, scheduled: 0 }),
      outcomes: () => new Map(),
    },
    backlogs: { refresh: async () => undefined, known: () => [] },
    tenants: { stats: () => ({ open: 0, unavailable: 0 }) },
    disk: { space: () => undefined },
    figures: createFigures({
      clock: new TestClock(),
      newestBackup: async () => undefined,
      failedJobs: async () => new Map(),
      files: async () => ({ schools: 0, sum: 0, largest: 0, bySchool: new Map() }),
      suspended: async () => 0,
      standby: async () => false,
      scrubs: async () => ({ damaged: 0, oldest: null }),
      descriptors: { open: async () => 1, limit: async () => 1024 },
      examine: async () => [],
    }),
    mails: () => ({ waiting: 0, sent: 0, failed: 0, dropped: 0 }),
    eInvoices: () => 0,
    certificate: async () => undefined,
  });
  return new Set((await metrics.text()).match(/(?<=^# TYPE )\S+/gm));
}

test.each(["alerts.yml", "dashboard.json"])("%s asks for figures that /metrics has", async (file) => {
  const text = await readFile(join(folder, file), "utf8");
  const asked = new Set(
    text.match(/\b(?:windsock|process)_[a-z_]+/g)?.map((name) => name.replace(/_(bucket|count)$/, "")),
  );
  const known = await seriesOf();
  expect(asked.size).toBeGreaterThan(10);
  expect([...asked].filter((name) => !known.has(name))).toEqual([]);
});

describe.skipIf(Bun.which("promtool") === null)("Prometheus", () => {
  test("accepts the alert rules", () => {
    const { exitCode, stdout } = Bun.spawnSync(["promtool", "check", "rules", alerts]);
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining("SUCCESS: 13 rules")]);
  });
});
