import { eq } from "drizzle-orm";
import { type ApiKeyActor, authorize, type MemberActor } from "../../../core/actor.ts";
import { forbidden, notFound } from "../../../core/errors.ts";
import type { EndpointId, EventId } from "../../../core/ids.ts";
import { events } from "../../../events/events.tables.ts";
import { replay } from "../../../events/queue-deliveries.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import type { Dispatched } from "./event-log.shapes.ts";
import { requireTargetEndpoint } from "./target-endpoint.ts";

/**
 * Delivers an event again, to all endpoints that are now enabled and subscribed to its type, or to one of them. The
 * deliveries have new ids, so receivers, which deduplicate on the id, process them again.
 *
 * @throws NOT_FOUND no such event; VALIDATION_ERROR no such endpoint; CONFLICT it is disabled or not subscribed
 */
export async function replayEvent(
  context: TenantContext<MemberActor | ApiKeyActor>,
  { eventId, endpointId }: { eventId: EventId; endpointId?: EndpointId | undefined },
): Promise<Dispatched> {
  requireMayReplay(context.actor);
  return context.tenant.write(async (tx) => {
    const [event] = await tx.select({ id: events.id, type: events.type }).from(events).where(eq(events.id, eventId));
    if (event === undefined) throw notFound();
    if (endpointId !== undefined) await requireTargetEndpoint(tx, endpointId, event.type);
    const replayed = { event_id: eventId, delivery_ids: await replay(tx, event, endpointId) };
    await audit(tx, context, "event.replayed", { subject: { kind: "event", id: eventId }, after: replayed });
    return replayed;
  });
}

/** @throws FORBIDDEN */
export function requireMayReplay(actor: MemberActor | ApiKeyActor): void {
  if (actor.kind === "user") authorize(actor, "integrations:manage");
  else if (!actor.scopes.has("events:replay"))
    throw forbidden("scope_missing", "The API key lacks the scope events:replay.", { scope: "events:replay" });
}
