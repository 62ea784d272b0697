import { authorize } from "../../../core/actor.ts";
import { days, shift } from "../../../core/clock.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { conflict, wrongStatus } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { queueMailTo } from "../../mails/queue-mails.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { RecordId } from "../compliance.tables.ts";
import { hasEnded, recordEntity, requireRecord } from "./records.queries.ts";
import type { ComplianceRecord } from "./records.shapes.ts";

/** A person is reminded of a record once in this time. */
const again = days(1);

/**
 * Reminds a person by mail that a record of theirs expires or has expired. The text is that of the notices, as it is when it is sent.
 * The record's `updated_at` stays: its content does not change.
 *
 * @throws NOT_FOUND, also of a medical that the actor may not see; FORBIDDEN
 * @throws CONFLICT it is not current; nobody can be reminded; the person was reminded already; the installation sends no mail
 */
export async function remindHolder(
  context: InOrganization,
  { recordId }: { recordId: RecordId },
): Promise<JsonOf<ComplianceRecord>> {
  const { actor, tenant } = context;
  authorize(actor, "compliance:manage");
  return tenant.write(async (tx) => {
    const { id, person_id, type, status, valid_until, reminded_at } = await requireRecord(tx, recordId, actor);
    if (status !== "current") throw wrongStatus("record", status, "current");
    if (person_id === null)
      throw conflict("no_reminder", "The record is of an aircraft: nobody can be reminded of it.");
    if (valid_until === null) throw conflict("no_reminder", "The record has no expiry.");
    const date = toLegalDate(await today(tx, tx.now));
    if (await hasEnded(tx, { id, person_id }, date))
      throw conflict("no_reminder", "The withdrawal of another record has ended this one.");
    await requireReachable(tx, person_id);
    const again_at = reminded_at === null ? tx.now : shift(reminded_at, again);
    // One that was reminded while the clock was ahead is not waited for.
    if (again_at > tx.now && (reminded_at ?? "") <= tx.now)
      throw conflict("reminded_already", "The person was reminded of this record within the last day.", {
        again_at,
      });
    if (!tx.sendsMail) throw conflict("mail_not_configured", "This installation sends no mail. Ask its operator.");
    const isOver = valid_until < date;
    await queueMailTo(tx, person_id, {
      kind: type === "medical" ? "medical_expiring" : "compliance_expiring",
      alert: isOver ? "expired" : "expiring",
      subject_id: id,
    });
    return changeRow(tx, context, recordEntity, {
      id,
      action: "compliance_record.reminded",
      set: { reminded_at: tx.now },
    });
  });
}

/** Who switched such mails off in their own settings is not known here: they get none. */
async function requireReachable(tx: Tx<"tenant">, id: PersonId): Promise<void> {
  const person = await findPersonRow(tx, id);
  if (person === undefined || person.status === "archived")
    throw conflict("no_reminder", "The person is archived and gets no mails.");
  if (!person.receives_mails || (person.email === null && person.user_id === null))
    throw conflict("no_reminder", "The person has no e-mail address, or gets no mails.");
}
