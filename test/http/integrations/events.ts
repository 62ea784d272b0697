import { isId } from "../../../src/core/ids.ts";
import { emit } from "../../../src/events/emit.ts";
import { webhookTest } from "../../../src/events/webhook-test.ts";
import type { Tenant } from "../../../src/storage/store.ts";
import { expectStatus, type School, times } from "../../support/school.ts";

export function tenantOf({ installation, orgId }: School): Tenant {
  if (!isId<"organization">(orgId)) throw new Error("A school has an id.");
  return installation.storage.tenants.tenant(orgId);
}

/** Emits `webhook.test` `count` times to all subscribers. @returns the ids of the events, in order */
export async function emitTests(school: School, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (const n of times(count, (index) => index)) {
    const data = { ...webhookTest.example, message: `Number ${n}` };
    ids.push(await tenantOf(school).write((tx) => emit(tx, webhookTest, data)));
  }
  return ids;
}

interface LoggedDelivery {
  id: string;
  endpoint_id: string;
  status: string;
  /** Other fields. */
  [field: string]: unknown;
}

export async function deliveriesOf({ owner }: School, eventId: string | undefined): Promise<LoggedDelivery[]> {
  return expectStatus(200, await owner.get(`/integrations/events/${eventId}`)).body.data.deliveries;
}
