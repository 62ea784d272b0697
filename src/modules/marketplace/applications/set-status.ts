import type { MemberActor, UserActor } from "../../../core/actor.ts";
import { badRequest, notPermitted } from "../../../core/errors.ts";
import type { ApplicationId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { Context } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { ApplicationStatus, Side } from "../marketplace.tables.ts";
import { type ApplicationMailer, mailApplicant } from "./application-mails.ts";
import { applicationEntity, visibleApplication } from "./applications.queries.ts";
import type { ApplicationStatusChange } from "./applications.schemas.ts";
import type { ApplicationDetail } from "./applications.shapes.ts";
import { recordMove } from "./record-move.ts";

/** For each status, those that may follow. `accepted`, `rejected` and `withdrawn` are final. */
const next: Readonly<Record<ApplicationStatus, readonly ApplicationStatus[]>> = {
  submitted: ["shortlisted", "rejected", "withdrawn"],
  shortlisted: ["accepted", "rejected", "withdrawn"],
  accepted: [],
  rejected: [],
  withdrawn: [],
};

/** Who sets a status, whatever the status before. */
const setBy = (status: ApplicationStatus): Side => (status === "withdrawn" ? "applicant" : "organization");

/**
 * Decides or withdraws an application.
 *
 * @throws FORBIDDEN   there is none, the actor may not see it, or the status is for the other side to set
 * @throws BAD_REQUEST the status can't follow the present one
 */
export function setApplicationStatus(
  context: Context<MemberActor | UserActor> & { mail: ApplicationMailer },
  { applicationId, status, note }: ApplicationStatusChange & { applicationId: ApplicationId },
): Promise<JsonOf<ApplicationDetail>> {
  const { actor, control } = context;
  return control.write(async (tx) => {
    const found = await visibleApplication(tx, actor, applicationId);
    if (found === undefined || found.side !== setBy(status)) throw notPermitted();
    const { row, side } = found;
    if (!next[row.status].includes(status))
      throw badRequest(`The application is ${row.status}, so it can't become ${status}.`);
    const changed = await changeRow(tx, context, applicationEntity, {
      id: row.id,
      action: `application.${status}`,
      orgId: row.org_id,
      set: { status, updated_at: tx.now },
      also: () => recordMove(tx, actor, { id: row.id, status, side, note }),
    });
    if (side === "organization") await mailApplicant(tx, context.mail, { userId: row.user_id, to: changed.value });
    return changed;
  });
}
