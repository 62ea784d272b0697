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
