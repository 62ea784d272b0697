import { authorize, userIdOf } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { today } from "../../../storage/today.ts";
import { addVerb } from "../../../storage/verbs.ts";
import { currencyOf } from "../../fleet/master-data.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { netByHand } from "../finance.fields.ts";
import type { ChargeId } from "../finance.tables.ts";
import { voidPackage } from "../packages/void-package.ts";
import { vatOf } from "../settings/settings.ts";
import { chargeEntity, isReversed } from "./charges.queries.ts";
import type { Charge, NewCharge } from "./charges.schemas.ts";
import { takeBackCharge } from "./write-charges.ts";

const permission = "finance:manage";

const addIn = (currency: string, context: TenantContext) =>
  addVerb(chargeEntity, {
    permission,
    async row(tx, fresh, { on, ...input }: NewCharge) {
      if (!(await findPersonRow(tx, input.person_id)))
        throw invalid({ path: "person_id", code: "unknown", message: "There is no such person." });
      const price = { unit_price_minor: input.unit_price_minor, price_per: 1 };
      return {
        ...fresh,
        ...input,
        ...price,
        ...(await vatOf(tx, input)),
        kind: "manual" as const,
        status: "open" as const,
        currency,
        net_minor: netByHand(input, "quantity"),
        on: on ?? toLegalDate(await today(tx, tx.now)),
        created_by: userIdOf(context.actor),
      };
    },
  });

/** Adds a charge, or a credit, by hand, in the organization's currency. @throws VALIDATION_ERROR */
export const addCharge = async (context: TenantContext, input: NewCharge): Promise<JsonOf<Charge>> =>
  addIn(await currencyOf(context), context)(context, input, {});

/**
 * Takes a charge back by an opposite entry. The charges of a flight follow the flight: it is waived, or charged anew.
 *
 * @returns the charge, afterwards
 * @throws NOT_FOUND; CONFLICT it is of a flight, is reversed or a reversal, or its package was drawn from
 */
export async function reverseCharge(
  context: TenantContext,
  { chargeId, reason }: { chargeId: ChargeId; reason: string },
): Promise<JsonOf<Charge>> {
  authorize(context.actor, permission);
  return context.tenant.write(async (tx) => {
    const row = await chargeEntity.row(tx, { chargeId });
    const before = await chargeEntity.read(tx, chargeId);
    if (row.flight_id !== null)
      throw conflict("charge_not_by_hand", "A flight raised it. Waive the flight, or charge it anew.");
    if (row.reverses_id !== null) throw conflict("charge_reversed", "The charge is a reversal itself.");
    if (await isReversed(tx, chargeId)) throw conflict("charge_reversed", "The charge was reversed.");
    if (row.package_id !== null) await voidPackage(tx, context, row.package_id);
    await takeBackCharge(tx, row, { reason, created_by: userIdOf(context.actor) });
    const after = await chargeEntity.read(tx, chargeId);
    await audit(tx, context, "finance_charge.reversed", {
      subject: { kind: "finance_charge", id: chargeId },
      before,
      after: { ...after.value, reversal_reason: reason },
    });
    return after;
  });
}
