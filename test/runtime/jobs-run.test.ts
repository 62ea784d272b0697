import { afterEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { deliveries, deliveryAttempts } from "../../src/events/events.tables.ts";
import { tenantMarks } from "../../src/storage/control.tables.ts";
import { TestClock } from "../support/clock.ts";
import { newInstallation } from "../support/installation.ts";
import { endProcesses, newFolder, run } from "./processes.ts";
import { withDelivery } from "./with-delivery.ts";

afterEach(endProcesses);

async function windsock(directory: string, ...args: string[]) {
  const { code, stdout, stderr } = await run(args, { env: { WINDSOCK_DATA_DIR: directory } });
  return { code, output: stdout + stderr };
}

test("`windsock jobs run` works without a server, including deliveries", async () => {
  const directory = await newFolder();
  const orgId = await withDelivery(directory);
  expect(await windsock(directory, "jobs", "run", "webhook-outbox")).toEqual({
    code: 0,
    output: "webhook-outbox: succeeded. Checked 1 school. Attempts: 0 succeeded, 1 failed.\n",
  });
  expect(await windsock(directory, "jobs", "run", "intents")).toEqual({
    code: 0,
    output: "intents: idle. There was nothing to do.\n",
  });
  const unknown = await windsock(directory, "jobs", "run", "nothing");
  expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining("There is no job nothing.")]);

  // The command stored the real time: to an earlier one, its marks would be of a clock that was set back.
  const { storage } = await newInstallation({ directory, clock: new TestClock(Temporal.Now.instant().toString()) });
  const { control, tenants } = storage;
  const attempts = await tenants.tenant(orgId).read((reader) => reader.select().from(deliveryAttempts));
  expect(attempts).toMatchObject([{ number: 1, error_class: "refused_address" }]);
  const [delivery] = await tenants.tenant(orgId).read((reader) => reader.select().from(deliveries));
  expect(delivery).toMatchObject({ status: "pending", attempts: 1 });
  // The next server has the wake-up times that the command stored.
  const [mark] = await control.read((reader) => reader.select().from(tenantMarks).where(eq(tenantMarks.org_id, orgId)));
  expect(mark).toMatchObject({ dirty: false, next_wake_at: delivery?.due_at as never });
}, 120_000);
