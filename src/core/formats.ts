/** The formats of texts, by name, and the sentence about a text that has another: `params.format` of `invalid_format`. */
export const formats = {
  ascii: "Must be printable ASCII.",
  bic: "Must be a BIC of 8 or 11 characters.",
  coordinates: "Must be an ICAO location indicator such as EDFE, or coordinates such as 49.96,8.64.",
  country: "Must be a country of ISO 3166-1, such as DE.",
  country_code: "Must be a country code of two letters, such as DE.",
  crew: "Must be the crew of a flight as the list of flights has it.",
  currency: "Must be an ISO 4217 currency, such as EUR.",
  currency_code: "Must be a currency of three letters, such as EUR.",
  cursor: "Must be the `next_cursor` of a page of this list.",
  date: "Must be a date such as 2025-06-14.",
  date_time: "Must be an RFC 3339 date-time with an offset, such as 2025-06-14T08:30:00Z.",
  email: "Must be an e-mail address.",
  exchange_rate: "Must be a decimal string with at most ten places, such as 0.9123.",
  file_name: "Must be the name of a file, without a path.",
  header_name: "Must be a header name.",
  header_value: "Must be one line of printable ASCII.",
  hours: "Must be a decimal string with two places, such as 1234.50.",
  iban: "Must be an IBAN: its check digits do not match.",
  icao_place: "Must be an ICAO location indicator of four characters.",
  icao_type: "Must be an ICAO type designator such as C172.",
  language_code: "Must be a language code of two letters, such as de.",
  latitude: "Must be decimal degrees from -90 to 90 with at most six places.",
  litres: "Must be a decimal string with at most two places, such as 45.5.",
  longitude: "Must be decimal degrees from -180 to 180 with at most six places.",
  network:
    "Must be a network such as 192.0.2.0/24 or 2001:db8::/32, without bits after its prefix; 192.0.2.7/32 is one address.",
  number_prefix: "Must be letters, digits and dashes.",
  pattern: "Invalid format.",
  percentage: "Must be a decimal string with two places, such as 19.00.",
  provider: "Must be the name of a provider, in lower case.",
  quantity: "Must be a decimal string with two places, such as 1.00.",
  registration: "Must be a registration such as D-EABC.",
  slug: "Must be words of a to z and 0 to 9, joined by hyphens.",
  thumbprint: "Must be the thumbprint of a key.",
  time: "Must be a time such as 18:00.",
  time_to_24: "Must be a time such as 18:00, or 24:00.",
  time_zone: "Must be an IANA time zone, such as Europe/Berlin.",
  totp: "Must be the six digits of an authenticator app.",
  totp_or_recovery: "Must be six digits, or a recovery code.",
  type_key: "Must be lower-case letters, digits and underscores, such as club_check.",
  utc_time: "Must be a time of day in UTC, such as 08:30.",
  uuid: "Must be a lowercase UUID.",
  vatex: "Must be a code of VATEX, such as VATEX-EU-132-1I.",
  web_address: "Must be an https address without a user name.",
  whole_number: "Must be a whole number.",
} as const;

export type Format = keyof typeof formats;

export const formatNames = Object.keys(formats) as [Format, ...Format[]];

const bySentence: ReadonlyMap<string, Format> = new Map(formatNames.map((name) => [formats[name], name]));

/** Returns the format whose sentence this is. Schemas of zod have room for a sentence only. */
export const formatSaid = (sentence: string): Format | undefined => bySentence.get(sentence);
