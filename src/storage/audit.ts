import { createHash } from "node:crypto";
import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../core/actor.ts";
import { equal, hmac, randomBytes } from "../core/crypto.ts";
import type { OrgId } from "../core/ids.ts";
import { JsonOf } from "../core/json-of.ts";
import type { Context } from "./context.ts";
import { insertRow } from "./insert-row.ts";
import { lookUp } from "./lookup.ts";
import { auditLog } from "./shared.tables.ts";
import type { Reader, Tx } from "./store.ts";

/** The subject of an action, before and after it. */
interface Change {
  subject: { kind: string; id: string };
  /** In the control database: the organization whose members may read the row. */
  orgId?: OrgId;
  before?: unknown;
  after?: unknown;
}

type Row = typeof auditLog.$inferSelect;

type Link = Pick<Row, "seq" | "hash">;

/** The last row of the log in each transaction: read once, then the last that it wrote. */
const lastIn = new WeakMap<Tx, Promise<Link | undefined>>();

/** Returns the row that the next one is chained to. `audit` reads it by itself: read it before with what else is read then. */
export function lastRowIn(tx: Tx): Promise<Link | undefined> {
  const last = lastIn.get(tx) ?? lastRow(tx, {});
  lastIn.set(tx, last);
  return last;
}

/** Writes one row to the audit log of the transaction's database, chained to the previous row. */
export async function audit(
  tx: Tx,
  by: Pick<Context, "actor" | "requestId">,
  action: string,
  change: Change,
): Promise<void> {
  const next = lastRowIn(tx).then((last) => rowAfter(last, { at: tx.now, by, action, change }));
  lastIn.set(tx, next);
  const row = await next;
  await insertRow(tx, auditLog, row);
  tx.audited(row.org_id);
}

interface Audited {
  at: Row["at"];
  by: Pick<Context, "actor" | "requestId">;
  action: string;
  change: Change;
}

function rowAfter(last: Link | undefined, { at, by: { actor, requestId }, action, change }: Audited): Row {
  const { subject, orgId, before, after } = change;
  const payload = payloadText({ by: actor.kind === "user" ? actor.name : undefined, before, after });
  const salt = randomBytes(16).toString("hex");
  const row = {
    seq: (last?.seq ?? 0) + 1,
    at,
    ...who(actor),
    action,
    subject_kind: subject.kind,
    subject_id: subject.id,
    org_id: orgId ?? null,
    request_id: requestId,
    payload,
    salt,
    digest: digest(salt, payload),
  };
  return { ...row, hash: chain(last?.hash ?? "", row) };
}

/** A row with another payload. */
interface Replaced {
  seq: number;
  salt: string;
  payload: string;
}

/** The action of a row that states the digests of payloads that were replaced: `after` is a `Statement`. */
const REPLACED = "audit_log.payloads_replaced";

/** By `seq`. */
const Statement = z.object({ after: z.object({ digests: z.record(z.string(), z.string()) }) });

/** A statement is found by the thousands of its rows, so that a check of the log reads few. */
const blockOf = (seq: number): string => String(Math.floor(seq / 1000));

/**
 * Replaces payloads, when a person is erased. The hash of a row contains the digest of its first payload, so that of the new one is
 * stated by a row of its own: it is in the chain, and says who replaced what, and when.
 */
export async function replacePayloads(
  tx: Tx,
  by: Pick<Context, "actor" | "requestId">,
  replaced: readonly Replaced[],
  orgId?: OrgId,
): Promise<void> {
  for (const block of new Set(replaced.map(({ seq }) => blockOf(seq)))) {
    const rows = replaced.filter(({ seq }) => blockOf(seq) === block);
    for (const { seq, payload } of rows) await tx.update(auditLog).set({ payload }).where(eq(auditLog.seq, seq));
    const digests = Object.fromEntries(rows.map(({ seq, salt, payload }) => [seq, digest(salt, payload)]));
    const subject = { kind: "audit_log", id: block };
    await audit(tx, by, REPLACED, { subject, ...(orgId && { orgId }), after: { digests } });
  }
}

/** Makes a lookup of what the log states about a payload that was replaced. Only the newest statement counts. */
function statedDigests(reader: Pick<Reader, "select">): (seq: number) => Promise<string | undefined> {
  let known: { block: string; digests: Readonly<Record<string, string>> } | undefined;
  return async (seq) => {
    const block = blockOf(seq);
    if (known?.block !== block) {
      const rows = await reader
        .select({ payload: auditLog.payload })
        .from(auditLog)
        .where(and(eq(auditLog.subject_id, block), eq(auditLog.action, REPLACED)))
        .orderBy(asc(auditLog.seq));
      const all = rows.map(({ payload }) =>
        payload === null ? {} : Statement.parse(JSON.parse(payload)).after.digests,
      );
      known = { block, digests: Object.assign({}, ...all) };
    }
    return known.digests[seq];
  };
}

/** `JSON.stringify`, but for resources that are JSON text already. */
function payloadText(payload: Record<string, unknown>): string {
  const members = Object.entries(payload).flatMap(([name, value]) =>
    value === undefined ? [] : [`"${name}":${value instanceof JsonOf ? value.text : JSON.stringify(value)}`],
  );
  return `{${members.join(",")}}`;
}

/** Looks up the last row. */
export const lastRow = lookUp(
  { seq: auditLog.seq, hash: auditLog.hash },
  sql`from ${auditLog} order by ${auditLog.seq} desc limit 1`,
);

/** Returns ids only. Names of people are in the payload, which can be erased. */
function who(actor: Actor): Pick<Row, "actor_kind" | "actor_id"> {
  switch (actor.kind) {
    case "user":
      return { actor_kind: actor.kind, actor_id: actor.userId };
    case "api_key":
      return { actor_kind: actor.kind, actor_id: actor.keyId };
    case "job":
      return { actor_kind: actor.kind, actor_id: actor.name };
    default:
      return { actor_kind: actor.kind, actor_id: null };
  }
}

/** SHA-256 of the salt and the payload. After the payload is erased, it can't be guessed from the digest. */
const digest = (salt: string, payload: string): string => hash([salt, payload]);

/** SHA-256 of the previous row's hash and of the row without its payload. */
const chain = (before: string, row: Omit<Row, "hash">): string =>
  hash([
    before,
    row.seq,
    row.at,
    row.actor_kind,
    row.actor_id,
    row.action,
    row.subject_kind,
    row.subject_id,
    row.org_id,
    row.request_id,
    row.salt,
    row.digest,
  ]);

const hash = (parts: readonly unknown[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** The head of a log: its last row, and a keyed hash of that row. Stored in the control database. */
export interface AuditHead {
  seq: number;
  head: string;
}

/** The key for the head of a log, and the log, which is part of the hash: the head of one log is invalid for another. */
export interface Seal {
  key: Buffer;
  log: "control" | OrgId;
}

const sealHead = ({ key, log }: Seal, { seq, hash }: Pick<Row, "seq" | "hash">): string =>
  hmac(key, `${log}:${seq}:${hash}`).toString("hex");

/** Returns the head of a log without rows. It is stored at the creation, so a missing head is always a fault. */
export const emptyHead = (seal: Seal): AuditHead => ({ seq: 0, head: sealHead(seal, { seq: 0, hash: "" }) });

/** Returns the head stored in the control database. */
export const keptHead = (row: { audit_seq: number; audit_head: string } | undefined): AuditHead =>
  row === undefined ? { seq: 0, head: "" } : { seq: row.audit_seq, head: row.audit_head };

/**
 * Returns the new head, to be stored instead of `kept`. Returns `undefined` if the log no longer has the row of the stored
 * head: then it was truncated or rewritten, and the stored head must stay as evidence.
 */
export async function nextAuditHead(reader: Reader, seal: Seal, kept: AuditHead): Promise<AuditHead | undefined> {
  const sealed = await rowAt(reader, kept.seq);
  if (sealHead(seal, sealed) !== kept.head) return undefined;
  const [last] = await reader.select(chained).from(auditLog).orderBy(desc(auditLog.seq)).limit(1);
  return last && { seq: last.seq, head: sealHead(seal, last) };
}

/** Returns the head of a log whose last row is `seq`. */
export async function headAt(reader: Reader, seal: Seal, seq: number): Promise<AuditHead> {
  return headAtRow(seal, await rowAt(reader, seq));
}

/** As `headAt`, of a row that was read already. */
export const headAtRow = (seal: Seal, row: Pick<Row, "seq" | "hash">): AuditHead => ({
  seq: row.seq,
  head: sealHead(seal, row),
});

/** Only what is sealed: at each checkpoint, a damaged payload must not be read (`check/`). */
const chained = { seq: auditLog.seq, hash: auditLog.hash };

async function rowAt(reader: Pick<Reader, "select">, seq: number): Promise<Pick<Row, "seq" | "hash">> {
  const [row = { seq: 0, hash: "" }] = await reader.select(chained).from(auditLog).where(eq(auditLog.seq, seq));
  return row;
}

/** The result of a check: the number of valid rows before the first fault, and that fault. */
export interface AuditReport {
  rows: number;
  fault: string | undefined;
}

/** A recomputed chain: a report, and the row of the stored head, if the chain is valid up to it. */
export interface AuditChain extends AuditReport {
  sealed: Pick<Row, "seq" | "hash"> | undefined;
}

/**
 * Recomputes the whole chain. Detects changed, missing, inserted and reordered rows. Needs no key, so another process can
 * do it.
 *
 * @param sealedSeq the row of the stored head
 * @param part only the rows after one that was read before, and at most so many
 */
export async function readAuditChain(
  reader: Pick<Reader, "select">,
  sealedSeq: number,
  { after, most }: { after: number; most: number } = { after: 0, most: Number.POSITIVE_INFINITY },
): Promise<AuditChain> {
  let rows = after;
  let before = after === 0 ? "" : (await rowAt(reader, after)).hash;
  let sealed = sealedSeq === 0 ? { seq: 0, hash: "" } : undefined;
  const broken = (fault: string) => ({ rows, fault, sealed });
  const stated = statedDigests(reader);
  for await (const row of inOrder(reader, after)) {
    if (rows === after + most) break;
    if (row.seq !== rows + 1) return broken(`row ${rows + 1} is missing`);
    if (row.payload !== null) {
      const found = digest(row.salt, row.payload);
      if (found !== row.digest && found !== (await stated(row.seq)))
        return broken(`row ${row.seq} does not match its digest`);
    }
    if (chain(before, row) !== row.hash) return broken(`row ${row.seq} breaks the chain`);
    if (row.seq === sealedSeq) sealed = { seq: row.seq, hash: row.hash };
    before = row.hash;
    rows = row.seq;
  }
  return { rows, fault: undefined, sealed };
}

/** Compares a chain with the stored head, which detects rows that were removed from the end. */
export function verifyAudit({ rows, fault, sealed }: AuditChain, seal: Seal, head: AuditHead): AuditReport {
  if (sealed !== undefined && !equal(Buffer.from(sealHead(seal, sealed)), Buffer.from(head.head))) {
    if (head.seq === 0) return { rows: 0, fault: "the stored head of the log is missing or invalid" };
    return { rows: head.seq - 1, fault: `row ${head.seq} is not the one that was sealed at the last checkpoint` };
  }
  if (fault !== undefined || sealed !== undefined) return { rows, fault };
  return { rows, fault: `the log ends at row ${rows}, but ${head.seq} were sealed` };
}

/** Reads the log in pieces, so that a long log does not fill the memory. */
async function* inOrder(reader: Pick<Reader, "select">, first: number, piece = 1000): AsyncGenerator<Row> {
  for (let after = first; ; ) {
    const rows = await reader
      .select()
      .from(auditLog)
      .where(gt(auditLog.seq, after))
      .orderBy(asc(auditLog.seq))
      .limit(piece);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}
