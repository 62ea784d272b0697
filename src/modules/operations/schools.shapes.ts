/** The JSON of a school as its operator sees it. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, instantOut } from "../../http/fields.ts";
import { memberships, organizations, suspensions } from "../../identity/identity.tables.ts";
import { schoolState, schoolStates } from "../../identity/suspensions.queries.ts";
import { tenantMarks } from "../../storage/control.tables.ts";
import { field, json, shape } from "../../storage/shape.ts";

export const fileStates = ["usable", "damaged", "unusable"] as const;

/** What is known of a school besides the control database: see `knownFacts`. */
export interface KnownFacts {
  bytes?: number;
  written_at?: string;
  backed_up_at?: string | null;
  backup_fault?: string | null;
  unusable_since?: string;
  faults?: readonly string[];
  command?: string;
}

const fact = (name: keyof KnownFacts) => sql.raw(`known.value ->> '${name}'`);

export const installationSchool = shape("InstallationSchool", {
  id: field(idOf<"organization">(), organizations.id),
  name: field(z.string().meta({ examples: ["Windy Hill Flight School"] }), organizations.name),
  state: field(
    z
      .enum(schoolStates)
      .meta({ description: "`removal_planned`: suspended until `removal_at`.", examples: ["active"] }),
    schoolState,
  ),
  removal_at: field(
    instantOut.nullable().meta({ description: "When it is deleted with its records. Null: never.", examples: [null] }),
    suspensions.removal_at,
  ),
  created_at: field(instantOut, organizations.created_at),
  members: field(
    z.int().meta({ examples: [20] }),
    sql`(select count(*) from ${memberships} where ${memberships.org_id} = ${organizations.id})`,
  ),
  file_state: field(
    z.enum(fileStates).meta({
      description:
        "`unusable`: it failed a check, or can't be opened or migrated, and requests for the school get 503 `TENANT_UNAVAILABLE`. `damaged`: it is used, but its last monthly read found faults.",
      examples: ["usable"],
    }),
    sql`case when ${fact("unusable_since")} is not null then 'unusable' when ${tenantMarks.scrub_damaged} > 0 then 'damaged' else 'usable' end`,
  ),
  unusable_since: field(instantOut.nullable().meta({ examples: [null] }), fact("unusable_since")),
  faults: field(
    z.array(z.string()).meta({ description: "Why it can't be used.", examples: [[]] }),
    json(sql`coalesce(known.value -> 'faults', '[]')`),
  ),
  command: field(
    z
      .string()
      .nullable()
      .meta({
        description: "What mends the file, or names its faults. Null if it is usable.",
        examples: ["windsock check --org 01890a5d-ac96-774b-bcce-b302099a8057"],
      }),
    sql`coalesce(${fact("command")}, iif(${tenantMarks.scrub_damaged} > 0, 'windsock check --org ' || ${organizations.id}, null))`,
  ),
  bytes: field(
    z.int().meta({ description: "Of the file with its journal; 0 until it was read.", examples: [4_194_304] }),
    sql`coalesce(${fact("bytes")}, 0)`,
  ),
  written_at: field(
    instantOut.nullable().meta({ description: "When its file was last written to, by jobs too." }),
    fact("written_at"),
  ),
  schema_version: field(
    z.int().meta({ description: "0 if it is not known.", examples: [1] }),
    tenantMarks.schema_version,
  ),
  backed_up_at: field(
    instantOut.nullable().meta({
      description: "The newest complete backup has all that was written before. Null if it has no copy.",
    }),
    fact("backed_up_at"),
  ),
  backup_fault: field(
    z
      .string()
      .nullable()
      .meta({
        description: "Why the newest backup could not copy it: the copy is an older one, or missing.",
        examples: [null],
      }),
    fact("backup_fault"),
  ),
});
