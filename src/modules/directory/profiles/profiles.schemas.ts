/** What a school, an instructor or an aircraft has in the directory, as its organization writes it. */
import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { issueCodes } from "../../../core/issues.ts";
import {
  countryCode,
  degrees,
  email,
  icaoPlace,
  isDistinct,
  longText,
  text,
  webAddress,
} from "../../../http/fields.ts";
import { changeOf } from "../../../storage/columns.ts";
import { type EntryType, fieldsOf } from "../entry-types.ts";

export const textFields = {
  headline: text(160)
    .nullable()
    .meta({ examples: ["Learn to fly south of Frankfurt"] }),
  description: longText(4000)
    .nullable()
    .meta({ examples: ["PPL(A), night rating and instrument training."] }),
  website: webAddress("https://school.example.com").nullable(),
  email: email.nullable().meta({ examples: ["hello@school.example.com"] }),
  phone: text(40)
    .nullable()
    .meta({ examples: ["+49 6103 12345"] }),
  languages: z
    .array(z.string().regex(/^[a-z]{2}$/, formats.language_code))
    .max(20)
    .refine(isDistinct, issueCodes.repeated)
    .meta({ description: "ISO 639-1, two letters each.", examples: [["de", "en"]] }),
  place: icaoPlace.nullable().meta({ description: "ICAO location indicator.", examples: ["EDFE"] }),
  country: countryCode.nullable(),
};

export const coordinates = {
  latitude: degrees(90, { description: "Decimal degrees, north positive.", example: "49.960833" }),
  longitude: degrees(180, { description: "Decimal degrees, east positive.", example: "8.645833" }),
};

export const published = z.boolean().meta({
  description: "Whether it is in the directory, as far as nothing else is against that.",
  examples: [true],
});

const nullable = <F extends { in: z.ZodType; out: z.ZodType }>({ in: input, out }: F) => ({
  in: input.nullable(),
  out: out.nullable(),
  stored: "millionths" as const,
});

export const profileFields = {
  ...textFields,
  latitude: nullable(coordinates.latitude),
  longitude: nullable(coordinates.longitude),
};

const examplesOf: Record<EntryType, string[]> = {
  schools: ["headline", "place", "coordinates", "kind"],
  instructors: ["headline", "languages", "ratings"],
  aircraft: ["headline", "place", "class"],
};

const namesOf: Record<EntryType, string> = { schools: "School", instructors: "Instructor", aircraft: "Aircraft" };

/** The body of a PATCH. The fields that can be published differ. */
export const changeOfType = (type: EntryType): z.ZodType<ProfileChange> =>
  changeOf(`${namesOf[type]}ProfileChange`, {
    published,
    fields: z
      .array(z.enum(fieldsOf[type]))
      .refine(isDistinct, issueCodes.repeated)
      .meta({
        description: "The fields that are published, besides the name. Nothing else leaves the school.",
        examples: [examplesOf[type]],
      }),
    ...profileFields,
  }) as unknown as z.ZodType<ProfileChange>;

export interface ProfileChange extends Partial<Coordinates> {
  published?: boolean;
  fields?: string[];
  headline?: string | null;
  description?: string | null;
  website?: string | null;
  email?: string | null;
  phone?: string | null;
  languages?: string[];
  place?: string | null;
  country?: string | null;
}

/** Millionths of a degree. */
export interface Coordinates {
  latitude: number | null;
  longitude: number | null;
}
