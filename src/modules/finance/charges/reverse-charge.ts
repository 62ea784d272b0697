import { authorize } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { audit } from "../../../storage/audit.ts";
import type { By, TenantContext } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import type { ChargeId } from "../finance.tables.ts";
import { voidPackage } from "../packages/end-package.ts";
import { chargeEntity, isReversed } from "./charges.queries.ts";
import type { Charge } from "./charges.schemas.ts";
import { takeBackCharge } from "./take-back.ts";

interface Reversal {
  chargeId: ChargeId;
  reason: string;
}

/**
 * Takes a charge back by an opposite entry, and ends the package that it sold.
 *
 * @returns the charge, afterwards
 * @throws NOT_FOUND; CONFLICT it is of a flight, is reversed or a reversal, or its package was drawn from
 */
export async function reverseCharge(context: TenantContext, reversal: Reversal): Promise<JsonOf<Charge>> {
  authorize(context.actor, "finance:manage");
  return context.tenant.write((tx) => reverse(tx, context, reversal));
}

/** The charges of a flight follow the flight: it is waived, or charged anew. */
async function reverse(tx: Tx<"tenant">, by: By, { chargeId, reason }: Reversal): Promise<JsonOf<Charge>> {
  const row = await chargeEntity.row(tx, { chargeId });
  const before = await chargeEntity.read(tx, chargeId);
  if (row.flight_id !== null)
    throw conflict("charge_not_by_hand", "A flight raised it. Waive the flight, or charge it anew.");
  if (row.reverses_id !== null) throw conflict("charge_reversed", "The charge is a reversal itself.");
  if (await isReversed(tx, chargeId)) throw conflict("charge_reversed", "The charge was reversed.");
  if (row.package_id !== null) await voidPackage(tx, by, row.package_id);
  await takeBackCharge(tx, by, row, reason);
  const after = await chargeEntity.read(tx, chargeId);
  await audit(tx, by, "finance_charge.reversed", {
    subject: { kind: "finance_charge", id: chargeId },
    before,
    after: { ...after.value, reversal_reason: reason },
  });
  return after;
}
