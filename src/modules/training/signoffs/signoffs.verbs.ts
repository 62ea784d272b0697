import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import type { Instant } from "../../../core/clock.ts";
import { conflict, forbidden, notFound, wrongStatus } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { requireActsAs } from "../../people/identity.queries.ts";
import { voided } from "../recording.ts";
import type { SignoffId, trainingSignoffs } from "../training.tables.ts";
import { signoffEntity } from "./signoffs.queries.ts";
import type { Signoff } from "./signoffs.shapes.ts";

type SignoffRow = typeof trainingSignoffs.$inferSelect;
type Ref = { signoffId: SignoffId };

/** The student has read it. @throws NOT_FOUND; FORBIDDEN, CONFLICT `acknowledge` */
export const acknowledgeSignoff = (context: InOrganization, ref: Ref): Promise<JsonOf<Signoff>> => {
  authorize(context.actor, "training:read_own");
  return change(context, ref, "acknowledged", (tx, row) => acknowledge(tx, context.actor, row, "signoff"));
};

type Acknowledged = Pick<SignoffRow, "student_id" | "status" | "acknowledged_at">;

/**
 * Returns the columns of what the student acknowledges.
 *
 * @throws FORBIDDEN the caller is not the student, or linked themself to them; CONFLICT it is voided or acknowledged
 */
export async function acknowledge(
  tx: Tx<"tenant">,
  actor: MemberActor,
  { student_id, status, acknowledged_at }: Acknowledged,
  what: "signoff" | "lesson record",
): Promise<{ acknowledged_at: Instant }> {
  if (!(await requireActsAs(tx, actor, student_id))) throw notTheStudent(actor);
  if (status === "voided") throw wrongStatus(what, status);
  if (acknowledged_at !== null)
    throw conflict("wrong_status", `The ${what} is acknowledged already.`, { status: "acknowledged" });
  return { acknowledged_at: tx.now };
}

const notTheStudent = (actor: MemberActor) =>
  permits(actor, "training:read")
    ? forbidden("not_the_student", "Only the student acknowledges a signoff or the record of a lesson.")
    : notFound();

/** @throws NOT_FOUND; FORBIDDEN, CONFLICT `voided` */
export const voidSignoff = (
  context: InOrganization,
  { reason, ...ref }: Ref & { reason: string },
): Promise<JsonOf<Signoff>> => {
  authorize(context.actor, "training:record");
  return change(context, ref, "voided", (tx, row) => voided(tx, context.actor, row, reason));
};

const change = (
  context: InOrganization,
  ref: Ref,
  action: string,
  set: (tx: Tx<"tenant">, row: SignoffRow) => Promise<Partial<SignoffRow>>,
): Promise<JsonOf<Signoff>> =>
  context.tenant.write(async (tx) => {
    const row = await signoffEntity.row(tx, ref);
    return changeSignoff(tx, context, row.id, action, await set(tx, row));
  });

/** Posting. */
export const changeSignoff = (
  tx: Tx<"tenant">,
  context: InOrganization,
  id: SignoffId,
  action: string,
  set: Partial<SignoffRow>,
): Promise<JsonOf<Signoff>> =>
  changeRow(tx, context, signoffEntity, {
    id,
    action: `training_signoff.${action}`,
    set: { ...set, updated_at: tx.now },
  });
