import { and, eq, isNull } from "drizzle-orm";
import { conflict, invalid } from "../../../core/errors.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { webhookEndpoints } from "../../../events/events.tables.ts";
import type { Tx } from "../../../storage/store.ts";

/**
 * Checks that events can be replayed to the endpoint that a request names.
 *
 * @param type the type that the endpoint must be subscribed to; null if the events have several types
 * @throws VALIDATION_ERROR there is no such endpoint; CONFLICT it is disabled, or not subscribed
 */
export async function requireTargetEndpoint(tx: Tx<"tenant">, id: EndpointId, type: string | null): Promise<void> {
  const [endpoint] = await tx
    .select({ enabled: webhookEndpoints.enabled, types: webhookEndpoints.event_types })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.deleted_at)));
  if (endpoint === undefined)
    throw invalid({ path: "endpoint_id", code: "unknown", message: "There is no such endpoint." });
  if (!endpoint.enabled) throw conflict("endpoint_disabled", "The endpoint is disabled. Enable it first.");
  if (type !== null && !endpoint.types.includes(type))
    throw conflict("endpoint_not_subscribed", `The endpoint is not subscribed to ${type}. Subscribe it first.`);
}
