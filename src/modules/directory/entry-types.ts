/** What the directory lists, as in its paths. */
export const entryTypes = ["schools", "instructors", "aircraft"] as const;
export type EntryType = (typeof entryTypes)[number];

/** One school, instructor or aircraft: the id is the organization's, the person's or the aircraft's. */
export interface EntryRef {
  type: EntryType;
  id: string;
}

/** Fields that a profile has itself. */
const ownFields = [
  "headline",
  "description",
  "website",
  "email",
  "phone",
  "languages",
  "place",
  "country",
  "coordinates",
] as const;

/** The fields that can be published, by type. The others are those of the organization, the person or the aircraft. */
export const fieldsOf = {
  schools: [...ownFields, "kind", "approval_number", "authority"],
  instructors: [...ownFields, "ratings"],
  aircraft: [...ownFields, "registration", "icao_type", "class", "seats", "hourly_rate"],
} as const satisfies Record<EntryType, readonly string[]>;

/** Returns the columns of a field. */
export const columnsOf = (field: string): readonly string[] => columns[field] ?? [field];

const columns: Readonly<Record<string, readonly string[]>> = {
  coordinates: ["latitude", "longitude"],
  hourly_rate: ["hourly_rate_minor", "currency"],
};
