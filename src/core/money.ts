/**
 * Amounts of money: integers of the currency's minor unit. Computed with BigInt, returned as safe integers; every rounding is
 * to the nearest integer, half away from zero.
 */
import { invalid } from "./errors.ts";

/** A price: `unit_price_minor` for `price_per` units. */
export interface Price {
  unit_price_minor: number;
  price_per: number;
}

/** Returns the net amount of a line. @param quantity in hundredths of the unit @throws VALIDATION_ERROR too large */
export const netOf = (quantity: number, { unit_price_minor, price_per }: Price): number =>
  rounded(BigInt(quantity) * BigInt(unit_price_minor), 100n * BigInt(price_per));

/** Returns the tax on a net amount. @param rate in hundredths of a percent @throws VALIDATION_ERROR too large */
export const vatOn = (net_minor: number, rate: number): number => rounded(BigInt(net_minor) * BigInt(rate), 10_000n);

/** @throws VALIDATION_ERROR too large */
export const sumOf = (amounts: readonly number[]): number =>
  safe(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n));

/** Writes an integer of 1/10^`places` as a decimal: `-12.30`. */
export function decimalOf(units: number, places: number): string {
  const digits = String(Math.abs(units)).padStart(places + 1, "0");
  const end = digits.length - places;
  return `${units < 0 ? "-" : ""}${digits.slice(0, end)}${places === 0 ? "" : `.${digits.slice(end)}`}`;
}

/** @param divisor positive */
function rounded(dividend: bigint, divisor: bigint): number {
  const magnitude = dividend < 0n ? -dividend : dividend;
  const quotient = (2n * magnitude + divisor) / (2n * divisor);
  return safe(dividend < 0n ? -quotient : quotient);
}

function safe(amount: bigint): number {
  const value = Number(amount);
  if (Number.isSafeInteger(value)) return value;
  throw invalid({ path: "", code: "impossible", message: `The amount ${amount} is too large to be exact.` });
}

/** Returns the greatest net amount that is, with its tax rounded down, not more than a gross amount, which is not negative. */
export function netWithin(gross_minor: number, rate: number): number {
  const net = Number((BigInt(gross_minor) * 10_000n) / (10_000n + BigInt(rate)));
  const next = net + 1;
  return next + around(next, rate, 10_000)[0] <= gross_minor ? next : net;
}

/** Returns the part of an amount. @throws VALIDATION_ERROR too large */
export const partOf = (amount: number, part: number | bigint, whole: number | bigint): number =>
  rounded(BigInt(amount) * BigInt(part), BigInt(whole));

/** Returns the part of an amount, rounded down and up. @param whole not 0 */
export function around(amount: number, part: number | bigint, whole: number | bigint): [down: number, up: number] {
  const [dividend, divisor] =
    whole < 0 ? [-BigInt(amount) * BigInt(part), -BigInt(whole)] : [BigInt(amount) * BigInt(part), BigInt(whole)];
  const rest = ((dividend % divisor) + divisor) % divisor;
  const down = safe((dividend - rest) / divisor);
  return [down, rest === 0n ? down : down + 1];
}
