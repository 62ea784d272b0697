/** The fields of an evidence pack and the input of the routes. */
import { z } from "zod";
import { dateField, EXAMPLE_ID, idOf, instantOut } from "../../../http/fields.ts";
import { paging, updatedSince } from "../../../http/query.ts";
import { newOf } from "../../../storage/columns.ts";
import { packFailures, packStatuses } from "../evidence.tables.ts";
import { packTypes } from "../format/manifest.ts";

const type = z.enum(packTypes).meta({
  description:
    "`pilot_portable`: a person's approved flights, records and training, to take to another school. `compliance_pack`: the state of the organization on a day.",
  examples: ["pilot_portable"],
});
const status = z.enum(packStatuses).meta({
  description: "`generating` becomes `ready` or `failed`. A ready pack never changes.",
  examples: ["ready"],
});
const digest = z
  .string()
  .nullable()
  .meta({ examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"] });
const day = dateField.nullable();

const subject = {
  person_id: idOf<"person">()
    .nullable()
    .meta({ description: "Of a `pilot_portable` pack: whose.", examples: [EXAMPLE_ID] }),
  as_of: day.meta({
    description: "Of a `compliance_pack`: the day. When it is requested, the default is today.",
    examples: [null],
  }),
};

/** Null until the pack is ready. */
const issued = {
  period_from: day.meta({ description: "The first day that it has records of." }),
  period_to: day.meta({ description: "The last day that it has records of." }),
  issued_at: instantOut.nullable(),
  key_id: idOf<"signing_key">().nullable().meta({ description: "The key that signed it." }),
  manifest_sha256: digest.meta({ description: "SHA-256 of `manifest.json`, which is signed." }),
  sha256: digest.meta({ description: "SHA-256 of the whole file." }),
  superseded_by: idOf<"evidence_pack">()
    .nullable()
    .meta({ description: "A newer pack of the same type and subject.", examples: [null] }),
};

/** What everybody may know who may know that there is a pack. */
export const publicFields = { type, status, ...subject, ...issued };

export const privateFields = {
  failure: z
    .enum(packFailures)
    .nullable()
    .meta({
      description:
        "Why it failed. `key_unreadable`: the signing key was sealed by another installation. `quota_exceeded`: the organization's files would exceed its quota. `records_changed`: its records were changed each time while it was built; retry later. `person_erased`: the person's data was erased. `internal`: see the log of the server.",
      examples: [null],
    }),
  size_bytes: z
    .int()
    .nullable()
    .meta({ examples: [48_213] }),
  content_removed_at: instantOut.nullable().meta({
    description: "Since then it can't be downloaded: its content was removed. Its link still verifies what was signed.",
    examples: [null],
  }),
  requested_by: idOf<"user">(),
};

export const NewEvidencePack = newOf("NewEvidencePack", { type, ...subject });
export type NewEvidencePack = z.infer<typeof NewEvidencePack>;

export const PackListQuery = z.strictObject({
  ...paging,
  type: type.optional(),
  status: status.optional(),
  person_id: idOf<"person">().optional(),
});
export type PackListQuery = z.infer<typeof PackListQuery>;

export const PublicVtrListQuery = PackListQuery.omit({ person_id: true }).extend(updatedSince);

export const PackRef = z.object({ orgId: idOf<"organization">(), packId: idOf<"evidence_pack">() });
