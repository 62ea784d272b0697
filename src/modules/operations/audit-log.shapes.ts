/** The JSON of an audit log entry. */
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { instantOut } from "../../http/fields.ts";
import { field, part, shape } from "../../storage/shape.ts";
import { auditLog } from "../../storage/shared.tables.ts";

/** Returns SQL for a part of the row's payload; null if the payload was erased. */
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
        description: "The id of the account or the API key, or the name of the job.",
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

/** The subject as a resource; its kind says which one. */
const state = z.record(z.string(), z.unknown()).nullable();

export const auditEntry = shape("AuditEntry", {
  seq: field(
    z.int().meta({ description: "The number of the row in the log. In `records` there are no gaps.", examples: [42] }),
    auditLog.seq,
  ),
  at: field(instantOut, auditLog.at),
  actor: field(actor.schema, actor.json),
  action: field(z.string().meta({ examples: ["aircraft.counters_corrected"] }), auditLog.action),
  subject: field(subject.schema, subject.json),
  before: field(
    state.meta({ description: "The subject before the action.", examples: [{ hobbs: "1234.50" }] }),
    ofPayload("before"),
  ),
  after: field(
    state.meta({ description: "The subject after the action.", examples: [{ hobbs: "1240.00" }] }),
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
      description: "SHA-256 of the row, the digest of its payload, and the hash of the previous row.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
    auditLog.hash,
  ),
});
