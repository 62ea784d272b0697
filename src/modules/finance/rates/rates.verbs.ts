import { conflict, throwIfAny } from "../../../core/errors.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import type { Reader } from "../../../storage/store.ts";
import { addVerb, changeVerb, removeVerb } from "../../../storage/verbs.ts";
import { vat, withCode } from "../finance.fields.ts";
import { vatIssuesOf, vatOf } from "../settings/settings.ts";
import { rateIssues, requireTargets, validityIssues } from "./rate-rules.ts";
import { lastUse, overlappingRate, type RateRow, rateEntity } from "./rates.queries.ts";
import type { NewRate, RateChange } from "./rates.schemas.ts";

const permission = "finance:manage";

/** @throws CONFLICT another rate for the same is valid on one of these days */
async function requireNoOverlap(reader: Reader<"tenant">, scope: Parameters<typeof overlappingRate>[1]): Promise<void> {
  const other = await overlappingRate(reader, scope);
  if (other === undefined) return;
  const period = `from ${other.valid_from}${other.valid_until === null ? "" : ` to ${other.valid_until}`}`;
  throw conflict("rate_overlaps", `The rate ${other.id} is for the same, and valid ${period}. End that one first.`, {
    rate_id: other.id,
    valid_from: other.valid_from,
    valid_until: other.valid_until,
  });
}

/**
 * Adds a rate in the organization's currency, which is stored with it: a later change of that one converts no rates.
 *
 * @throws VALIDATION_ERROR its parts do not fit; CONFLICT another rate for the same is valid on one of these days
 */
export const addRate = addVerb(rateEntity, {
  permission,
  before: (context) => currencyOf(context),
  async row(tx, fresh, input: NewRate, _, currency) {
    throwIfAny(rateIssues(input));
    await requireTargets(tx, input);
    const fuel = input.kind === "aircraft" ? (input.fuel ?? ("wet" as const)) : null;
    const row = { ...fresh, ...input, fuel, currency, ...(await vatOf(tx, input)) };
    await requireNoOverlap(tx, row);
    return row;
  },
});

/** @throws CONFLICT charges have used it, and more than its last day changes; or it would overlap another */
export const changeRate = changeVerb(rateEntity, {
  permission,
  async set(tx, row, { change }: { change: RateChange }) {
    await requireUnused(tx, row, change);
    const set = withCode(row, change);
    const next = { ...row, ...set };
    const changesVat = Object.keys(vat).some((name) => Object.hasOwn(change, name));
    throwIfAny([...(changesVat ? await vatIssuesOf(tx, next) : []), ...validityIssues(next)]);
    await requireNoOverlap(tx, next);
    return set;
  },
});

async function requireUnused(reader: Reader<"tenant">, row: RateRow, change: RateChange): Promise<void> {
  const last = await lastUse(reader, row.id);
  if (last === undefined) return;
  const { valid_until, ...others } = change;
  if (Object.keys(others).length > 0)
    throw conflict("rate_used", "Charges have used the rate. Only `valid_until` can change. Add another rate.", {
      until: last,
    });
  if (valid_until && valid_until < last)
    throw conflict("rate_used", `Charges have used the rate until ${last}. It can end on that day or later.`, {
      until: last,
    });
}

/** @throws CONFLICT charges have used it */
export const removeRate = removeVerb(rateEntity, {
  permission,
  async also(tx, { id }) {
    const until = await lastUse(tx, id);
    if (until !== undefined)
      throw conflict("rate_used", "Charges have used the rate. Set `valid_until` instead.", { until });
  },
});
