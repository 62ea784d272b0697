/** Exchange rates: decimal strings, the units of a currency for one unit of another. Computed with BigInt, as amounts are. */
import { placesOf } from "./currencies.ts";
import { around, partOf } from "./money.ts";

const PLACES = 10;

export const EXCHANGE_RATE = /^(0|[1-9]\d{0,5})(\.\d{1,10})?$/;

export interface Conversion {
  from: string;
  to: string;
  rate: string;
}

/** Returns what a minor unit of `from` is in minor units of `to`, as a fraction. */
function fractionOf({ from, to, rate }: Conversion): [part: bigint, whole: bigint] {
  const [whole = "", places = ""] = rate.split(".");
  return [
    BigInt(whole + places.padEnd(PLACES, "0")) * 10n ** BigInt(placesOf(to)),
    10n ** BigInt(PLACES + placesOf(from)),
  ];
}

/** Returns an amount in the other currency, rounded half away from zero. @throws VALIDATION_ERROR too large */
export const converted = (minor: number, conversion: Conversion): number => partOf(minor, ...fractionOf(conversion));

/** Returns an amount in the other currency, rounded down and up. @throws VALIDATION_ERROR too large */
export const convertedAround = (minor: number, conversion: Conversion): [down: number, up: number] =>
  around(minor, ...fractionOf(conversion));
