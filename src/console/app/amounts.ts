/** Amounts of money as they are typed, and in minor units as the API has them. */
import { placesOf } from "../../core/currencies.ts";
import { language } from "./language.ts";

/** What a field of an amount takes. */
export const amountPattern = "[0-9]+([.,][0-9]{1,2})?";

/** As it is typed: `225.00`, in German `225,00`. */
export function amountOf(minor: number, currency: string): string {
  const places = placesOf(currency);
  const amount = (minor / 10 ** places).toFixed(places);
  return language.value === "de" ? amount.replace(".", ",") : amount;
}

export const minorOf = (typed: string, currency: string): number =>
  Math.round(Number(typed.replace(",", ".")) * 10 ** placesOf(currency));
