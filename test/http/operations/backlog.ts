/** Deliveries that wait. */
import { isId } from "../../../src/core/ids.ts";
import { emitTo } from "../../../src/events/emit.ts";
import { webhookTest } from "../../../src/events/webhook-test.ts";
import type { Installation } from "../../support/installation.ts";
import { expectStatus, type School } from "../../support/school.ts";

/** Returns a dispatcher that knows these organizations. */
export const knowing = (known: string[]) => ({
  stats: () => ({ inFlight: 3, slow: 1, waiting: 7, active: 2, scheduled: 5 }),
  outcomes: () =>
    new Map([
      ["succeeded", 40],
      ["timeout", 2],
    ] as const),
  organizations: (limit: number) => known.filter((id) => isId<"organization">(id)).slice(0, limit),
});

/** Queues `count` deliveries to a new endpoint. */
export async function backlog({ storage }: Installation, school: School, count: number) {
  const path = `/orgs/${school.orgId}/integrations/webhook-endpoints`;
  const body = { url: "https://hooks.example.com/", event_types: ["webhook.test"] };
  const { id } = expectStatus(201, await school.owner.post("/integrations/webhook-endpoints", body)).body.data;
  if (!isId<"organization">(school.orgId)) throw new Error(path);
  await storage.tenants.tenant(school.orgId).write(async (tx) => {
    for (let left = count; left > 0; left--) await emitTo(tx, id, webhookTest, { endpoint_id: id, message: "Hello" });
  });
}
