import type { Price } from "../../../core/money.ts";
import { vatIn } from "../finance.fields.ts";
import type { DraftLine, LineRow } from "./lines.ts";

/**
 * Returns the line that credits a net amount of another: with its quantity and price if it credits all of it, else one piece at
 * the amount.
 *
 * @param net with the sign of the line that it credits
 */
export function creditOf(line: LineRow, net: number): DraftLine {
  const { id, description, on, unit, unit_price_minor, price_per } = line;
  const amount =
    net === line.net_minor
      ? { quantity: -line.quantity, unit, unit_price_minor, price_per }
      : ({ quantity: net > 0 ? -100 : 100, unit: "piece", unit_price_minor: Math.abs(net), price_per: 1 } as const);
  return { charge_id: null, credits_line_id: id, description, on, ...amount, ...vatIn(line) };
}

type Amount = Price & Pick<LineRow, "quantity" | "unit">;

/**
 * Returns how much of a line's quantity another credits, in hundredths. One that credits an amount is a piece at that amount and
 * credits none, unless a piece of the line has that price.
 */
export const quantityOf = (credit: Amount, line: Amount): number =>
  credit.unit === line.unit && credit.unit_price_minor === line.unit_price_minor && credit.price_per === line.price_per
    ? Math.abs(credit.quantity)
    : 0;
