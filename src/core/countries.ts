/** Countries by ISO 3166-1, two letters. Kosovo has `XK`, as the European Union writes it. */
const countries = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD " +
    "CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF " +
    "GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN " +
    "KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA " +
    "NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI " +
    "SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI " +
    "VN VU WF WS XK YE YT ZA ZM ZW"
  ).split(" "),
);

/** Countries without postcodes, by the Universal Postal Union. */
const withoutPostcodes = new Set(
  (
    "AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GN GQ GY HK JM KI KM KN KP LC LY ML MO MR " +
    "MW NR NU QA RW SB SC SL SR SS ST SX SY TD TG TK TL TO TV UG VU WS YE ZW"
  ).split(" "),
);

export const hasPostcodes = (country: string): boolean => !withoutPostcodes.has(country);

export const isCountry = (code: string): boolean => countries.has(code);

const memberStates = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

export const isMemberState = (country: string): boolean => memberStates.has(country);

/** What the currency of a country is, where the law of VAT asks for it (Art. 230 of Directive 2006/112/EC): in Europe. */
const currencies: Readonly<Record<string, string>> = {
  EUR: "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK",
  CHF: "CH LI",
  CZK: "CZ",
  DKK: "DK",
  GBP: "GB IM",
  HUF: "HU",
  ISK: "IS",
  NOK: "NO",
  PLN: "PL",
  RON: "RO",
  SEK: "SE",
};

const currencyByCountry = new Map(
  Object.entries(currencies).flatMap(([currency, codes]) => codes.split(" ").map((code) => [code, currency] as const)),
);

/** Returns the national currency of a country in Europe; null: of others, and where the table has none. */
export const nationalCurrencyOf = (country: string): string | null => currencyByCountry.get(country) ?? null;
