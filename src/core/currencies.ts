/** Currencies of ISO 4217. */

/**
 * Currencies of ISO 4217 whose amounts do not have two decimal places. The runtimes disagree about others: V8 has no
 * places for HUF and ALL.
 */
export const unusualPlaces = {
  0: "BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "),
  3: "BHD IQD JOD KWD LYD OMR TND".split(" "),
  4: ["CLF", "UYW"],
} as const;

const placesByCode = new Map(
  Object.entries(unusualPlaces).flatMap(([places, codes]) => codes.map((code) => [code, Number(places)] as const)),
);

/** Returns how many decimal places the minor unit of a currency is. */
export const placesOf = (currency: string): number => placesByCode.get(currency) ?? 2;
