import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { documentedAs } from "../../../http/documented-as.ts";
import { countryCode, icaoPlace, idOf, millionthsOfDegrees, text } from "../../../http/fields.ts";
import { integerQuery, paging, searchText } from "../../../http/query.ts";
import { fault } from "../../../http/schema-fault.ts";
import { masterData } from "../../fleet/fleet.schemas.ts";
import { entryTypes } from "../entry-types.ts";
import type { Point } from "./near.ts";

/** Kilometres, half the earth's circumference. */
const FARTHEST = 20_000;

function pointOf(given: string): Point | undefined {
  const [first = "", second = "", ...rest] = given.split(",");
  const latitude = millionthsOfDegrees(first.trim(), 90);
  const longitude = millionthsOfDegrees(second.trim(), 180);
  return rest.length > 0 || latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

const place = z
  .string()
  .transform((given, context): string | Point => {
    const found = pointOf(given) ?? icaoPlace.safeParse(given).data;
    if (found !== undefined) return found;
    const message = formats.coordinates;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .meta(
    documentedAs({
      type: "string",
      description:
        "An ICAO location indicator: entries at this place. With `radius_km`, or as coordinates (latitude, comma, longitude in decimal degrees): entries that are near.",
      examples: ["EDFE"],
    }),
  );

/** SQLite reads each entry that is skipped, and anybody may ask. */
const FURTHEST = 2000;

export const SearchQuery = z
  .strictObject({
    ...paging,
    offset: integerQuery(0, FURTHEST, 0, "How many to skip. `cursor` reaches all."),
    q: searchText("the name, the texts and the ratings", "flight").optional(),
    country: countryCode.optional(),
    place: place.optional(),
    radius_km: integerQuery(
      0,
      FARTHEST,
      0,
      "The greatest distance from `place`, in kilometres. 0: only entries at the place; from coordinates, 50.",
    ),
    rating: text(40)
      .optional()
      .meta({ description: "A rating of instructors. Case does not matter.", examples: ["FI"] }),
    class: masterData.class.optional(),
  })
  .refine(({ place, radius_km }) => place !== undefined || radius_km === 0, {
    path: ["radius_km"],
    ...fault("one_needed", { fields: ["place"] }),
  });

export type Search = Omit<z.output<typeof SearchQuery>, keyof typeof paging>;

export const type = z.enum(entryTypes).meta({ examples: ["schools"] });
export const TypeRef = z.object({ type });
export const EntryPath = z.object({ type, id: idOf() });
