/** What the audit log looks like from outside. */
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { instantOut } from "../../http/fields.ts";
import { field, part, shape } from "../../storage/shape.ts";
import { auditLog } from "../../storage/shared.tables.ts";

/** A part of the row's payload; null when the payload was erased. */
const ofPayload = (name: "by" | "before" | "after"): SQL => sql`${auditLog.payload} -> ${sql.raw(`'$.${name}'`)}`;

const actor = part({
  kind: field(
    z.string().meta({ description: "`user`, `api_key`, `job`, `command_line` or `anonymous`.", examples: ["user"] }),
    auditLog.actor_kind,
  ),
  id: field(
    z
      .string()
      .nullable()
      .meta({
        description: "Of the account or the key; a job's name.",
        examples: ["01890a5d-ac96-774b-bcce-b302099a8057"],
      }),
    auditLog.actor_id,
  ),
  name: field(
    z
      .string()
      .nullable()
      .meta({ description: "The account's name at the time.", examples: ["Anna Berg"] }),
    sql`${auditLog.payload} ->> '$.by'`,
  ),
});

const subject = part({
  kind: field(z.string().meta({ examples: ["aircraft"] }), auditLog.subject_kind),
  id: field(z.string().meta({ examples: ["01890a5d-ac96-774b-bcce-b302099a8057"] }), auditLog.subject_id),
});

/** Whatever the subject is, as it was: its kind says which resource. */
const state = z.record(z.string(), z.unknown()).nullable();

export const auditEntry = shape("AuditEntry", {
  seq: field(
    z.int().meta({ description: "Counts the rows of the log, in `records` without a gap.", examples: [42] }),
    auditLog.seq,
  ),
  at: field(instantOut, auditLog.at),
  actor: field(actor.schema, actor.json),
  action: field(z.string().meta({ examples: ["aircraft.counters_corrected"] }), auditLog.action),
  subject: field(subject.schema, subject.json),
  before: field(
    state.meta({ description: "How it looked before.", examples: [{ hobbs: "1234.50" }] }),
    ofPayload("before"),
  ),
  after: field(
    state.meta({ description: "How it looked after.", examples: [{ hobbs: "1240.00" }] }),
    ofPayload("after"),
  ),
  request_id: field(
    z.string().meta({
      description: "Empty for jobs and the command line.",
      examples: ["01890a5d-ac96-774b-bcce-b302099a8057"],
    }),
    auditLog.request_id,
  ),
  hash: field(
    z.string().meta({
      description: "SHA-256 over the row, its payload's digest, and the hash of the row before.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
    auditLog.hash,
  ),
});
