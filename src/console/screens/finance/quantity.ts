/** What a line of an invoice says about its amount: the day, how much, and the price. */
import type { Invoice } from "../../api/operations.ts";
import { formatDay, formatDuration, formatMoney, formatRate } from "../../app/format.ts";
import { financeText } from "./words.ts";

type Line = Pick<Invoice["lines"][number], "on" | "quantity" | "unit" | "unit_price_minor" | "price_per">;

/** `12/11/2026 · 1:06 h × €180.00`. A single piece needs no quantity. */
export function lineDetail({ on, quantity, unit, unit_price_minor, price_per }: Line, currency: string): string {
  const amount = Number(quantity);
  const isByHour = unit === "minute" && price_per === 60;
  const said = isByHour
    ? `${formatDuration(amount)} h`
    : [formatRate(amount / price_per), financeText().units[unit]].filter(Boolean).join(" ");
  const price = formatMoney(unit_price_minor, currency);
  return [formatDay(on), (isByHour || amount !== price_per) && `${said} × ${price}`].filter(Boolean).join(" · ");
}
