/** The time zone of an organization, checked against the list of the runtime, and its currency. */
import { z } from "zod";
import { currencyCodes } from "../../core/currency-codes.ts";
import { formats } from "../../core/formats.ts";
import { documentedAs } from "../../http/documented-as.ts";

const zoneName = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** Returns the name in the letter case of the IANA database. Rejects an offset like `+01:00`: it has no summer time. */
function knownZone(name: string): string | undefined {
  if (!zoneName.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined; // a RangeError: the runtime does not know the zone
  }
}

const about = { description: "IANA time zone.", examples: ["Europe/Berlin"] as [string] };

export const timeZone = {
  in: z
    .string()
    .trim()
    .max(64)
    .transform((name, { addIssue }) => {
      const known = knownZone(name);
      if (known === undefined) addIssue({ code: "custom", message: formats.time_zone });
      return known ?? z.NEVER;
    })
    .meta(documentedAs({ type: "string", maxLength: 64, ...about })),
  out: z.string().meta(about),
};

const currencies = new Set(currencyCodes);

export const currency = z
  .string()
  .trim()
  .toUpperCase()
  .refine((code) => currencies.has(code), formats.currency)
  .meta({ description: "ISO 4217 currency.", examples: ["EUR"] });
