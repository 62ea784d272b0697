/** The messages between the program and its process that reads files, one JSON text a line. */
import { z } from "zod";
import { Described, Opened, SchoolHead } from "../move/school-head.ts";

/** The database that a file must be. */
const Expected = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("control") }),
  z.object({
    kind: z.literal("tenant"),
    orgId: z.string(),
    /** It may lack its row in `meta`: a sign-up was interrupted. */
    isNew: z.boolean(),
  }),
]);
export type Expected = z.infer<typeof Expected>;

/** A place in a database up to which it was read. */
export const Place = z.object({ step: z.string(), after: z.int() });
export type Place = z.infer<typeof Place>;

export const Task = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("check"), path: z.string(), expected: Expected }),
  z.object({ kind: z.literal("audit"), path: z.string(), sealedSeq: z.int() }),
  z.object({ kind: z.literal("migrate"), path: z.string() }),
  z.object({
    kind: z.literal("scrub"),
    path: z.string(),
    /** Where to begin; null: at the beginning. */
    from: Place.nullable(),
    /** Milliseconds after which no further piece begins. */
    time: z.number(),
    /** Only what `check` does not read. */
    contentOnly: z.boolean(),
  }),
  /** Makes a copy for a backup. */
  z.object({
    kind: z.literal("copy"),
    path: z.string(),
    to: z.string(),
    expected: Expected,
    encrypt: z.object({ to: z.string(), recipient: z.string() }).optional(),
  }),
  /** Puts a file of a backup where it will be used. */
  z.object({
    kind: z.literal("stage"),
    path: z.string(),
    to: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    /** The file with the identity that opens an encrypted one. */
    identity: z.string().optional(),
    /** Missing for a file that is no database. */
    expected: Expected.optional(),
  }),
  /** Encrypts a school that moves to another installation, see `../move/school-file.ts`. */
  z.object({
    kind: z.literal("seal-school"),
    path: z.string(),
    to: z.string(),
    head: SchoolHead,
    passphrase: z.string(),
    /** See `encryptedWith`. */
    cost: z.int().optional(),
  }),
  /** Reads such a file, or a bare database of a school. */
  z.object({
    kind: z.literal("open-school"),
    path: z.string(),
    to: z.string(),
    passphrase: z.string().optional(),
    identity: z.string().optional(),
  }),
  /** Migrates what was read, and gives it a sealed key. */
  z.object({
    kind: z.literal("prepare-school"),
    path: z.string(),
    key: Described.pick({ data_key: true, sealed_by: true }).nullable(),
  }),
]);
export type Task = z.infer<typeof Task>;

const Checked = z.object({
  /** One line each; none if the file can be used. */
  faults: z.array(z.string()),
  /** The number of migrations that the file has, if it could be read. */
  version: z.int().optional(),
});
export type Checked = z.infer<typeof Checked>;

const Scrubbed = z.object({
  /** Where to go on; null: all was read. */
  next: Place.nullable(),
  /** Faults for which the file can't be used. */
  faults: z.array(z.string()),
  /** What is damaged in itself only. */
  damaged: z.array(z.string()),
  /** The digests of files that have none, in hexadecimal. */
  missing: z.array(z.object({ table: z.string(), rowid: z.int(), sha256: z.string(), digests: z.string() })),
});
export type Scrubbed = z.infer<typeof Scrubbed>;

const Copied = z.object({
  /** One line each; with any, there is no copy. */
  faults: z.array(z.string()),
  /** Of the file in the backup. */
  bytes: z.int(),
  sha256: z.string(),
  databaseSha256: z.string(),
  /** The number of migrations of the copy, and of rows of its audit log. */
  version: z.int(),
  auditRows: z.int(),
});
export type Copied = z.infer<typeof Copied>;

const Staged = z.object({
  /** One line each; with any, there is no file. */
  faults: z.array(z.string()),
});
export type Staged = z.infer<typeof Staged>;

const Sealed = z.object({ bytes: z.int(), sha256: z.string() });
export type Sealed = z.infer<typeof Sealed>;

const Chain = z.object({
  rows: z.int(),
  fault: z.string().optional(),
  sealed: z.object({ seq: z.int(), hash: z.string() }).optional(),
});

export const Message = z.union([
  /** The table that is read now. */
  z.object({ table: z.string() }),
  /** The end of a task. */
  z.object({
    result: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("check"), ...Checked.shape }),
      z.object({ kind: z.literal("audit"), chain: Chain }),
      z.object({ kind: z.literal("migrate") }),
      z.object({ kind: z.literal("scrub"), ...Scrubbed.shape }),
      z.object({ kind: z.literal("copy"), ...Copied.shape }),
      z.object({ kind: z.literal("stage"), ...Staged.shape }),
      z.object({ kind: z.literal("seal-school"), ...Sealed.shape }),
      z.object({ kind: z.literal("open-school"), ...Opened.shape }),
      z.object({ kind: z.literal("prepare-school") }),
      /** With SQLite's result code, if the error came from SQLite. */
      z.object({ kind: z.literal("error"), message: z.string(), code: z.string().optional() }),
    ]),
  }),
]);
export type Message = z.infer<typeof Message>;
export type Result = Extract<Message, { result: unknown }>["result"];
