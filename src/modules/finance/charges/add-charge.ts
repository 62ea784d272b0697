import { userIdOf } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import { today } from "../../../storage/today.ts";
import { addVerb } from "../../../storage/verbs.ts";
import { requireCustomer } from "../customers/require-customer.ts";
import { netByHand } from "../finance.fields.ts";
import { vatOf } from "../settings/settings.ts";
import { chargeEntity } from "./charges.queries.ts";
import type { NewCharge } from "./charges.schemas.ts";
import { reductionOf } from "./reductions.ts";

/**
 * Adds a charge, a claim of the person or a discount by hand, in the organization's currency.
 *
 * @throws VALIDATION_ERROR; CONFLICT what it reduces was invoiced or reversed
 */
export const addCharge = addVerb(chargeEntity, {
  permission: "finance:manage",
  before: async (context) => ({ currency: await currencyOf(context), created_by: userIdOf(context.actor) }),
  async row(tx, fresh, { on, ...input }: NewCharge, _, { currency, created_by }) {
    await requireCustomer(tx, input.person_id);
    const net_minor = netByHand(input, "quantity");
    const { reduces_id } = input;
    const reduction = reduces_id && (await reductionOf(tx, { ...input, on, reduces_id }, { currency, net_minor }));
    return {
      ...fresh,
      ...input,
      net_minor,
      price_per: 1,
      ...(reduction ?? { ...(await vatOf(tx, input)), on: on ?? toLegalDate(await today(tx, tx.now)) }),
      kind: "manual" as const,
      status: "open" as const,
      currency,
      created_by,
    };
  },
});
