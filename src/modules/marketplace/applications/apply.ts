import { and, eq } from "drizzle-orm";
import { conflict, forbidden, notFound } from "../../../core/errors.ts";
import { type ApplicationId, newId, type OpportunityId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { rolesOf } from "../../../identity/memberships.queries.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import { applications } from "../marketplace.tables.ts";
import { publishedOpportunity } from "../opportunities/opportunities.queries.ts";
import { type ApplicationMailer, mailManagers } from "./application-mails.ts";
import { applicationEntity } from "./applications.queries.ts";
import type { NewApplication } from "./applications.schemas.ts";
import type { ApplicationDetail } from "./applications.shapes.ts";
import { recordMove } from "./record-move.ts";

/**
 * Applies for an opportunity.
 *
 * @throws NOT_FOUND no such opportunity was published
 * @throws FORBIDDEN the actor is a member of the organization that published it
 * @throws CONFLICT  it is closed, or the actor has applied already
 */
export function apply(
  context: SignedIn & { mail: ApplicationMailer },
  { opportunityId, message }: NewApplication & { opportunityId: OpportunityId },
): Promise<JsonOf<ApplicationDetail>> {
  const { actor, clock, control } = context;
  return control.write(async (tx) => {
    const opportunity = await publishedOpportunity(tx, opportunityId);
    if (opportunity === undefined) throw notFound();
    const { org_id, status, closes_at } = opportunity;
    if (await rolesOf(tx, org_id, actor.userId))
      throw forbidden("own_organization", "Members of the organization that published it can't apply.");
    if (status !== "published" || closes_at <= tx.now)
      throw conflict("wrong_status", "The opportunity is closed.", { status: "closed" });
    const isSame = and(eq(applications.opportunity_id, opportunityId), eq(applications.user_id, actor.userId));
    if ((await tx.$count(applications, isSame)) > 0)
      throw conflict("already_applied", "You have applied for this opportunity already.");

    const id: ApplicationId = newId(clock);
    const added = await addRow(tx, context, applicationEntity, {
      action: "application.created",
      orgId: org_id,
      row: {
        id,
        opportunity_id: opportunityId,
        org_id,
        user_id: actor.userId,
        status: "submitted",
        message,
        created_at: tx.now,
        updated_at: tx.now,
      },
      also: () => recordMove(tx, actor, { id, status: "submitted", side: "applicant", note: null }),
    });
    await mailManagers(tx, context.mail, added.value);
    return added;
  });
}
