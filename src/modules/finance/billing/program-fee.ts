import type { LegalDate } from "../../../core/dates.ts";
import type { EnrollmentId, PersonId, ProgramId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { By } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { chargeEntity } from "../charges/charges.queries.ts";
import { raiseCharge } from "../charges/write-charges.ts";
import { audienceOf } from "../customers/audience.queries.ts";
import { languageOf } from "../customers/language.queries.ts";
import { chooseRate, programName } from "../rates/rates.queries.ts";
import { textsOf } from "../texts/texts.ts";
import { lineBy } from "./bill.ts";

interface Enrolled {
  id: EnrollmentId;
  student_id: PersonId;
  program_id: ProgramId;
  started_on: LegalDate;
}

/** Posting: an enrollment raises the fee of its program, by the rate of its first day. Without such a rate it is free. */
export async function raiseProgramFee(
  tx: Tx<"tenant">,
  by: By,
  { id: enrollment_id, student_id: person_id, program_id, started_on: on }: Enrolled,
  currency: string,
): Promise<void> {
  const audience = await audienceOf(tx, person_id);
  const rate = await chooseRate(tx, { kind: "program", currency, on, person_id, audience, program_id });
  if (rate === undefined) return;
  const usual = (await programName(tx, program_id)) ?? textsOf(await languageOf(tx, person_id)).lines.program;
  const line = lineBy(rate, { quantity: 100, unit: "piece" }, usual);
  const id = await raiseCharge(tx, line, { person_id, on, enrollment_id });
  const after = await chargeEntity.read(tx, id);
  await audit(tx, by, "finance_charge.created", { subject: { kind: "finance_charge", id }, after });
}
