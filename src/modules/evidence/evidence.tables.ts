/** Tenant database: signed packs of a person's or the organization's records. */
import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  blob,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { Id, PersonId, UserId } from "../../core/ids.ts";
import { stamps } from "../../storage/stamps.ts";
import { people } from "../people/people.tables.ts";
import { packTypes } from "./format/manifest.ts";

export type PackId = Id<"evidence_pack">;
export type SigningKeyId = Id<"signing_key">;

export const packStatuses = ["generating", "ready", "failed"] as const;

export const packFailures = [
  "key_unreadable",
  "quota_exceeded",
  "records_changed",
  "person_erased",
  "internal",
] as const;

/** A literal, because SQLite uses a partial index only for the same condition. */
const isCurrent = sql`retired_at is null`;

/** The keys that sign packs. Those of before stay, to verify what they signed. */
export const signingKeys = sqliteTable(
  "signing_keys",
  {
    id: text().$type<SigningKeyId>().primaryKey(),
    /** `x` of the JSON Web Key. */
    public_key: text().notNull(),
    /** PKCS #8, sealed with the organization's data key. */
    sealed_private_key: text().notNull(),
    created_at: text().$type<Instant>().notNull(),
    /** From then on another key signs. */
    retired_at: text().$type<Instant>(),
  },
  () => [uniqueIndex("signing_keys_current").on(sql`(1)`).where(isCurrent)],
);

export const evidencePacks = sqliteTable(
  "evidence_packs",
  {
    id: text().$type<PackId>().primaryKey(),
    type: text({ enum: packTypes }).notNull(),
    status: text({ enum: packStatuses }).notNull(),
    /** Of `pilot_portable`: whose records it has. */
    person_id: text()
      .$type<PersonId>()
      .references(() => people.id),
    /** Of `compliance_pack`: the day of which it has the state. */
    as_of: text().$type<LegalDate>(),
    /** Why it failed. */
    failure: text({ enum: packFailures }),
    period_from: text().$type<LegalDate>(),
    period_to: text().$type<LegalDate>(),
    issued_at: text().$type<Instant>(),
    /** The signed bytes. */
    manifest: text(),
    /** In base64. */
    signature: text(),
    key_id: text()
      .$type<SigningKeyId>()
      .references(() => signingKeys.id),
    /** SHA-256 of the manifest, and of the whole file. */
    manifest_sha256: text(),
    sha256: text(),
    size_bytes: integer(),
    superseded_by: text()
      .$type<PackId>()
      .references((): AnySQLiteColumn => evidencePacks.id),
    /** Since then only what was signed about it is kept: the manifest. */
    content_removed_at: text().$type<Instant>(),
    requested_by: text().$type<UserId>().notNull(),
    ...stamps,
  },
  (table) => [
    check("evidence_packs_subject", sql`(${table.person_id} is null) <> (${table.as_of} is null)`),
    // One index for each combination of filters, in the order of the list.
    index("evidence_packs_type").on(table.type, table.id),
    index("evidence_packs_status").on(table.status, table.id),
    index("evidence_packs_person").on(table.person_id, table.id).where(sql`${table.person_id} is not null`),
    index("evidence_packs_updated").on(table.updated_at, table.id),
  ],
);

const ofPack = () =>
  text()
    .$type<PackId>()
    .notNull()
    .references(() => evidencePacks.id);

/** The files in a pack, in its order. */
export const evidenceParts = sqliteTable(
  "evidence_parts",
  {
    pack_id: ofPack(),
    position: integer().notNull(),
    name: text().notNull(),
    media_type: text({ enum: ["application/json", "application/pdf"] }).notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    crc32: integer().notNull(),
    /** See `storage/content.ts`. */
    chunk_digests: blob({ mode: "buffer" }),
  },
  (table) => [primaryKey({ columns: [table.pack_id, table.position] })],
);

/** The content of parts, in pieces that are written and read one at a time. */
export const evidenceChunks = sqliteTable(
  "evidence_chunks",
  {
    pack_id: ofPack(),
    part: integer().notNull(),
    /** From 0. */
    position: integer().notNull(),
    data: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.pack_id, table.part, table.position] })],
);
