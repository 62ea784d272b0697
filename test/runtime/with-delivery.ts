import { newId, type OrgId, type UserId } from "../../src/core/ids.ts";
import { emitTo } from "../../src/events/emit.ts";
import { webhookEndpoints } from "../../src/events/events.tables.ts";
import { newSecret, sealSecret } from "../../src/events/signing-secrets.ts";
import { webhookTest } from "../../src/events/webhook-test.ts";
import { newInstallation } from "../support/installation.ts";
import { newSchool } from "../support/school.ts";

/** Creates a closed data directory with a school that has one due delivery, to an address that is not public. */
export async function withDelivery(directory: string): Promise<OrgId> {
  const installation = await newInstallation({ directory });
  const { clock, storage } = installation;
  const orgId = (await newSchool(installation)).orgId as OrgId;
  const tenant = storage.tenants.tenant(orgId);
  const id = newId<"webhook_endpoint">(clock);
  const primarySecret = sealSecret(await tenant.dataKey(), id, newSecret());
  await tenant.write(async (tx) => {
    const createdBy = newId<"user">(clock) as UserId;
    const times = { created_at: tx.now, updated_at: tx.now };
    const endpoint = { id, url: "https://127.0.0.1:1/", event_types: ["webhook.test"], enabled: true };
    await tx
      .insert(webhookEndpoints)
      .values({ ...endpoint, primary_secret: primarySecret, created_by: createdBy, ...times });
    await emitTo(tx, id, webhookTest, { endpoint_id: id, message: "Hello." });
  });
  await installation.close();
  return orgId;
}
