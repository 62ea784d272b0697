import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { newId, type OrgId, type UserId } from "../../src/core/ids.ts";
import { emitTo } from "../../src/events/emit.ts";
import { deliveries, deliveryAttempts, webhookEndpoints } from "../../src/events/events.tables.ts";
import { newSecret, sealSecret } from "../../src/events/signing.ts";
import { webhookTest } from "../../src/events/webhook-test.ts";
import { tenantMarks } from "../../src/storage/control.tables.ts";
import { newInstallation } from "../support/installation.ts";
import { newSchool } from "../support/school.ts";

const root = join(import.meta.dir, "../..");

async function windsock(directory: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, WINDSOCK_DATA_DIR: directory };
  const child = spawn(process.execPath, ["src/main.ts", ...args], { cwd: root, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const [code] = await once(child, "close");
  return { code, output };
}

/** A data directory in which one delivery is due, to a receiver that refuses its address. */
async function withDelivery(directory: string): Promise<OrgId> {
  const installation = await newInstallation({ directory });
  const { clock, storage } = installation;
  const orgId = (await newSchool(installation)).orgId as OrgId;
  const tenant = storage.tenants.tenant(orgId);
  const id = newId<"webhook_endpoint">(clock);
  const primarySecret = sealSecret(await tenant.dataKey(), id, newSecret());
  await tenant.write(async (tx) => {
    const createdBy = newId<"user">(clock) as UserId;
    const times = { createdAt: tx.now, updatedAt: tx.now };
    const endpoint = { id, url: "https://127.0.0.1:1/", eventTypes: ["webhook.test"], enabled: true };
    await tx.insert(webhookEndpoints).values({ ...endpoint, primarySecret, createdBy, ...times });
    await emitTo(tx, id, webhookTest, { endpoint_id: id, message: "Hi." });
  });
  await installation.close();
  return orgId;
}

test("`windsock jobs run` does without a server what the job does, deliveries included", async () => {
  const directory = await mkdtemp(join(tmpdir(), "windsock-jobs-"));
  try {
    const orgId = await withDelivery(directory);
    expect(await windsock(directory, "jobs", "run", "webhook-outbox")).toEqual({
      code: 0,
      output: "webhook-outbox: succeeded. Looked after 1 school.\n",
    });
    expect(await windsock(directory, "jobs", "run", "intents")).toEqual({
      code: 0,
      output: "intents: idle. There was nothing to do.\n",
    });
    const unknown = await windsock(directory, "jobs", "run", "nothing");
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining("There is no job nothing.")]);

    const { storage } = await newInstallation({ directory });
    const { control, tenants } = storage;
    const attempts = await tenants.tenant(orgId).read((reader) => reader.select().from(deliveryAttempts));
    expect(attempts).toMatchObject([{ number: 1, errorClass: "refused_address" }]);
    const [delivery] = await tenants.tenant(orgId).read((reader) => reader.select().from(deliveries));
    expect(delivery).toMatchObject({ status: "pending", attempts: 1 });
    // What the command leaves behind, the next server knows of.
    const [mark] = await control.read((reader) =>
      reader.select().from(tenantMarks).where(eq(tenantMarks.orgId, orgId)),
    );
    expect(mark).toMatchObject({ dirty: false, nextWakeAt: delivery?.dueAt as never });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}, 30_000);
