import { z } from "zod";
import { countryCode, dateField, icaoPlace, idOf, longText, text } from "../../../http/fields.ts";
import { paging, searchText } from "../../../http/query.ts";
import { changeOf, newOf } from "../../../storage/columns.ts";
import { opportunityKinds, opportunityStatuses } from "../marketplace.tables.ts";

const kind = z.enum(opportunityKinds).meta({
  description: "A job, flight hours to build, a flight to share, or an instructor who is wanted.",
  examples: ["instructor_wanted"],
});
const place = icaoPlace.meta({ description: "ICAO location indicator.", examples: ["EDFE"] });

export const opportunityFields = {
  kind,
  title: text(120).meta({ examples: ["Flight instructor FI(A)"] }),
  description: longText(8000).meta({ examples: ["We are looking for an instructor for the season."] }),
  place: place.nullable(),
  country: countryCode,
  starts_on: dateField.nullable().meta({ examples: ["2097-04-01"] }),
  ends_on: dateField.nullable().meta({ examples: ["2097-10-31"] }),
  expires_on: dateField.meta({
    description: "The last day on which it is open, where the organization is. After it, it counts as closed.",
    examples: ["2097-03-01"],
  }),
  compensation: text(200)
    .nullable()
    .meta({ examples: ["50 EUR an hour"] }),
  requirements: longText(4000)
    .nullable()
    .meta({ examples: ["FI(A) without restriction"] }),
};

export const opportunityStatus = z
  .enum(opportunityStatuses)
  .meta({ description: "A published one is `closed` from `closes_at` on.", examples: ["draft"] });

export const OpportunityRef = z.object({ opportunityId: idOf<"opportunity">() });

export const NewOpportunity = newOf("NewOpportunity", opportunityFields);
export type NewOpportunity = z.infer<typeof NewOpportunity>;
export const OpportunityChange = changeOf("OpportunityChange", opportunityFields);
export type OpportunityChange = z.infer<typeof OpportunityChange>;

export const OpportunityListQuery = z.strictObject({
  ...paging,
  status: opportunityStatus.optional(),
  kind: kind.optional(),
});
export type OpportunityFilter = Pick<z.infer<typeof OpportunityListQuery>, "status" | "kind">;

export const OpenOpportunityQuery = z.strictObject({
  ...paging,
  kind: kind.optional(),
  country: countryCode.optional(),
  place: place.optional(),
  q: searchText("the title", "Flight").optional(),
});
export type OpenOpportunityFilter = Pick<z.infer<typeof OpenOpportunityQuery>, "kind" | "country" | "place" | "q">;
