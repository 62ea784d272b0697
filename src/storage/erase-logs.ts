/** Erases a person from the audit log and from the responses kept for repeats. */
import { and, eq, inArray, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { z } from "zod";
import type { OrgId } from "../core/ids.ts";
import { replacePayloads } from "./audit.ts";
import type { By } from "./context.ts";
import type { DataSubject } from "./personal-data.ts";
import { searchRows } from "./personal-texts.ts";
import { ERASED, type PersonalWords, personalWords } from "./personal-words.ts";
import { auditLog, usedKeys } from "./shared.tables.ts";
import type { Tx } from "./store.ts";

/**
 * Rows about the person, and about their records, lose their payload: their digests keep the chain valid. What others are told by a
 * row stays, and only who the person is goes: their names and addresses, and who acted, where that was the person. Otherwise
 * a member could erase the trail of their own acts.
 *
 * @param orgId in the control database: only rows of this organization
 */
export async function eraseFromLogs(tx: Tx, by: By, subject: DataSubject, orgId?: OrgId): Promise<void> {
  const { personId, userIds } = subject;
  const words = personalWords(subject);
  const isActor = inArray(auditLog.actor_id, [...userIds]);
  const isSubject = inArray(auditLog.subject_id, [personId, ...userIds]);
  const mayMention = or(contains(auditLog.payload, [personId]), words?.mayBeIn(auditLog.payload));
  const isOfOrganization = orgId === undefined ? undefined : eq(auditLog.org_id, orgId);
  await searchRows(tx, auditLog, and(isOfOrganization, or(isActor, isSubject, mayMention)), async (found) => {
    const { seq, actor_id, subject_id, payload, salt } = auditLog;
    const rows = await tx.select({ seq, actor_id, subject_id, payload, salt }).from(auditLog).where(found);
    const own: number[] = [];
    const replaced: { seq: number; salt: string; payload: string }[] = [];
    for (const { payload, ...row } of rows) {
      if (payload === null) continue;
      if (isOwn({ ...row, payload }, subject)) own.push(row.seq);
      else {
        const isActing = row.actor_id !== null && userIds.some((id) => id === row.actor_id);
        const after = without(payload, words, isActing);
        if (after !== payload) replaced.push({ seq: row.seq, salt: row.salt, payload: after });
      }
    }
    if (own.length > 0) await tx.update(auditLog).set({ payload: null }).where(inArray(auditLog.seq, own));
    await replacePayloads(tx, by, replaced, orgId);
  });
  await eraseAnswers(tx, or(contains(usedKeys.answer, [personId]), words?.mayBeIn(usedKeys.answer)));
}

/** How a record names the person whose it is. One that names them otherwise is another's: a student's names the instructor. */
const id = z.unknown().optional();
const one = z.object({ id });
const record = z.object({
  person_id: id,
  student_id: id,
  subject_id: id,
  person: one.optional().catch(undefined),
  student: one.optional().catch(undefined),
  student_ids: z.array(z.unknown()).optional().catch(undefined),
  crew: z
    .array(z.object({ person_id: id }))
    .optional()
    .catch(undefined),
});
const states = z.object({ before: record.optional().catch(undefined), after: record.optional().catch(undefined) });

/** Returns whether a row is about the person, or about a record of theirs. */
function isOwn(
  { subject_id, payload }: { subject_id: string; payload: string },
  { personId, userIds }: DataSubject,
): boolean {
  if (subject_id === personId || userIds.some((id) => id === subject_id)) return true;
  if (!payload.includes(personId)) return false;
  const { before, after } = states.parse(JSON.parse(payload));
  return [before, after].some(
    (state) =>
      state !== undefined &&
      (state.person_id === personId ||
        state.student_id === personId ||
        state.person?.id === personId ||
        state.student?.id === personId ||
        state.subject_id === personId ||
        state.student_ids?.includes(personId) ||
        state.crew?.some((one) => one.person_id === personId)),
  );
}

function without(payload: string, words: PersonalWords | undefined, isActing: boolean): string {
  const unnamed = isActing ? payload.replace(actorName, `{"by":${JSON.stringify(ERASED)}`) : payload;
  return words?.replaceInJson(unnamed) ?? unnamed;
}

/** `by` is the first member of a payload. */
const actorName = /^\{"by":"(?:[^"\\]|\\.)*"/u;

const eraseAnswers = (tx: Tx, isAbout: SQL | undefined): Promise<void> =>
  searchRows(tx, usedKeys, isAbout, (found) =>
    tx.update(usedKeys).set({ status: null, answer: null, permissions: null, location: null }).where(found),
  );

/** As `eraseFromLogs`, for resources of a kind that name records of the person instead of the person. */
export async function eraseFromLogsAbout(tx: Tx, kind: string, recordIds: readonly string[]): Promise<void> {
  if (recordIds.length === 0) return;
  const isAbout = and(eq(auditLog.subject_kind, kind), contains(auditLog.payload, recordIds));
  await searchRows(tx, auditLog, isAbout, (found) => tx.update(auditLog).set({ payload: null }).where(found));
  await eraseAnswers(tx, contains(usedKeys.answer, recordIds));
}

const contains = (column: SQLWrapper, texts: readonly string[]): SQL =>
  sql.join(
    texts.map((text) => sql`instr(${column}, ${text}) > 0`),
    sql.raw(" or "),
  );
