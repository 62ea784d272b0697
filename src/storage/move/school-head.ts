/** What is said about a school that moves, in its file and between the processes that read it. */
import { z } from "zod";
import { isId, type OrgId } from "../../core/ids.ts";
import { movedInstant } from "../moved-data.ts";

const orgId = z.custom<OrgId>((value) => typeof value === "string" && isId<"organization">(value));

export const SchoolHead = z.object({
  format: z.literal("windsock-school-1"),
  /** The version of the program that made it, and the numbers of its migrations. */
  windsock: z.string(),
  versions: z.object({ control: z.int(), tenant: z.int() }),
  exported_at: z.iso.datetime(),
  /** Identifies the secret of the installation that it comes from. */
  key_id: z.string(),
  organization: orgId,
  database: z.object({ bytes: z.int(), sha256: z.string(), audit_rows: z.int() }),
  /** The key that seals the school's secrets, in base64url. Null: its own installation could not open it either. */
  data_key: z.string().nullable(),
  /** What modules keep about the school in the control database (`../moved-data.ts`), by module. */
  parts: z.record(z.string(), z.unknown()),
  /** Changes of the control database that the copy of the school's database may lack (`../intents.ts`). */
  intents: z.array(z.object({ id: z.string(), kind: z.string(), payload: z.string(), created_at: movedInstant })),
});
export type SchoolHead = z.infer<typeof SchoolHead>;

/** What a database says about itself. */
export const Described = z.object({
  organization: orgId,
  name: z.string(),
  time_zone: z.string(),
  data_key: z.string(),
  sealed_by: z.string(),
  audit_rows: z.int(),
});
export type Described = z.infer<typeof Described>;

/** A school that was put into a file of its own and checked; or the faults of what it was read from, one line each. */
export const Opened = z.object({
  faults: z.array(z.string()),
  /** Null for a bare database, and with faults. */
  head: SchoolHead.nullable(),
  described: Described.nullable(),
});
export type Opened = z.infer<typeof Opened>;
