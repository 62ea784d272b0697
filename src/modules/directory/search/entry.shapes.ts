import { z } from "zod";
import { idOf, instantOut } from "../../../http/fields.ts";
import { organizationKinds } from "../../../identity/identity.tables.ts";
import { columns } from "../../../storage/columns.ts";
import { shape } from "../../../storage/shape.ts";
import { masterData } from "../../fleet/fleet.schemas.ts";
import { publisher } from "../../organizations/publisher.shapes.ts";
import { publicFields } from "../../people/people.schemas.ts";
import { directoryEntries as table } from "../entries.tables.ts";
import { coordinates, textFields } from "../profiles/profiles.schemas.ts";
import { type } from "./search.schemas.ts";

const shown = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();
const coordinate = (name: "latitude" | "longitude") => ({
  ...coordinates[name],
  out: coordinates[name].out.nullable(),
});

/** As everybody sees it. What the organization did not choose is null. */
export const entry = shape("DirectoryEntry", {
  ...columns(table, {
    id: idOf().meta({ description: "The organization's, the person's or the aircraft's." }),
    type,
  }),
  organization: publisher(table.org_id),
  ...columns(table, {
    name: z.string().meta({ description: "Of an aircraft, its model.", examples: ["Flugschule Egelsbach"] }),
    ...textFields,
    languages: shown(textFields.languages),
    latitude: coordinate("latitude"),
    longitude: coordinate("longitude"),
    kind: shown(z.enum(organizationKinds).meta({ examples: ["ato"] })),
    approval_number: shown(z.string().meta({ examples: ["DE.ATO.123"] })),
    authority: shown(z.string().meta({ examples: ["Luftfahrt-Bundesamt"] })),
    ratings: shown(publicFields.ratings),
    registration: shown(masterData.registration),
    icao_type: masterData.icao_type,
    class: shown(masterData.class),
    seats: masterData.seats,
    hourly_rate_minor: masterData.hourly_rate_minor,
    currency: shown(z.string().meta({ description: "ISO 4217, of the hourly rate.", examples: ["EUR"] })),
    featured: z.boolean().meta({ description: "Whether the platform recommends it.", examples: [false] }),
    rank: z
      .int()
      .meta({ description: "Lists are in this order, the smallest first, then by name.", examples: [11_000] }),
    updated_at: instantOut,
  }),
});
