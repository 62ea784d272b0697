/** What the start does with the tenants' files of the last run. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { eq, isNotNull, lte, or, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../core/async.ts";
import { type Clock, toInstant } from "../core/clock.ts";
import { isId, isMadeSince, type OrgId } from "../core/ids.ts";
import { fileNote } from "./check/file-note.ts";
import type { TenantChecks } from "./check/tenant-checks.ts";
import { tenantMarks } from "./control.tables.ts";
import { beginningOf } from "./installation.ts";
import { markSetBack } from "./mark-set-back.ts";
import { adoptedIn, placeAdopted } from "./move/place-adopted.ts";
import type { Control } from "./store.ts";
import { isTemporary, removeDatabase, tenantPath } from "./tenant-file.ts";

interface RecoveryOptions {
  directory: string;
  control: Control;
  clock: Clock;
  checks?: Pick<TenantChecks, "prepare" | "isDue"> | undefined;
  log: Record<"warn" | "error", (details: Record<string, unknown>, message: string) => void>;
  /** Checkpoints a tenant, and logs its error. */
  checkpoint(id: OrgId): Promise<void>;
  /**
   * Puts the file of a tenant aside that has no owner and no records, and removes one in which the sign-up has written nothing.
   *
   * @returns where it is now
   */
  putAsideIfEmpty(id: OrgId): Promise<"kept" | "removed" | { path: string }>;
  /** Ends the preparations: the next start makes the others. */
  isStopping(): boolean;
}

/**
 * Sweeps incomplete tenants, and checkpoints those that are dirty or due.
 *
 * @returns a function that resolves when the tenants whose files had to be checked or migrated first are checkpointed, too:
 *   the other organizations do not wait for them
 */
export async function recoverTenants(options: RecoveryOptions): Promise<() => Promise<void>> {
  await sweep(options);
  const { control, clock, checks, log, checkpoint } = options;
  const toCheckpoint = await control.read((reader) =>
    reader
      .select({ id: tenantMarks.org_id })
      .from(tenantMarks)
      .where(or(eq(tenantMarks.dirty, true), lte(tenantMarks.next_wake_at, toInstant(clock.now())))),
  );
  const toPrepare: OrgId[] = [];
  for (const { id } of toCheckpoint) {
    if (await checks?.isDue(id)) toPrepare.push(id);
    else await checkpoint(id);
  }
  await markChanged(options);
  await markSetBack(control, toInstant(clock.now()));
  const recovering = recoverPrepared(options, toPrepare).catch((err: unknown) =>
    log.error({ err }, "Tenants of the last run can't be recovered. They are when they are used."),
  );
  return () => recovering;
}

async function recoverPrepared(
  { checks, checkpoint, isStopping }: RecoveryOptions,
  ids: readonly OrgId[],
): Promise<void> {
  for (const id of ids) {
    if (isStopping()) return;
    // Without the time limit of the checkpoint, which reports the failure.
    await checks?.prepare(id).catch(() => undefined);
    if (!isStopping()) await checkpoint(id);
  }
}

/** Marks tenants whose file was restored or changed since its checkpoint, so that jobs and the dispatcher open them. */
async function markChanged({ directory, control }: RecoveryOptions): Promise<void> {
  const { org_id: id, file_note: note } = tenantMarks;
  const noted = await control.read((reader) => reader.select({ id, note }).from(tenantMarks).where(isNotNull(note)));
  const changed: OrgId[] = [];
  for (const [index, tenant] of noted.entries()) {
    if (index % 1000 === 999) await yieldToEventLoop();
    const found = fileNote(tenantPath(directory, tenant.id));
    if (found !== undefined && found !== tenant.note) changed.push(tenant.id);
  }
  if (changed.length === 0) return;
  const isChanged = sql`${id} in (select value from json_each(${JSON.stringify(changed)}))`;
  await control.write((tx) => tx.update(tenantMarks).set({ dirty: true }).where(isChanged));
}

/** Removes what an interrupted export or adoption has left in the data directory of a node that has its databases on a server. */
export async function removeTemporary(directory: string): Promise<void> {
  for (const name of await readdir(directory)) if (isTemporary(name)) await removeDatabase(join(directory, name));
}

const putAside =
  "No organization owns this file, and it has no records: a sign-up was interrupted, or control.db is older than the school. It is put aside. `windsock control rebuild --owner EMAIL` adopts it.";

/**
 * Completes an interrupted adoption, and removes what an interrupted sign-up has left: its temporary files. Files without an owner and
 * without records that were made since the control database began are put aside: it may be an older copy that does not know them. Any
 * other file is reported, and stays where it is: it may be a copy that the operator wants to adopt, or of a school that a lost
 * control database knew.
 */
async function sweep({ directory, control, log, putAsideIfEmpty }: RecoveryOptions): Promise<void> {
  const known = await control.read((reader) => reader.select({ id: tenantMarks.org_id }).from(tenantMarks));
  const owned = new Set<string>(known.map(({ id }) => id));
  const began = await control.read(beginningOf);
  for (const name of await readdir(directory)) {
    const adopted = adoptedIn(name);
    if (adopted !== undefined && owned.has(adopted)) await placeAdopted(directory, adopted);
    else if (isTemporary(name)) await removeDatabase(join(directory, name));
    const id = name.replace(/\.db$/, "");
    if (id === name || !isId<"organization">(id) || owned.has(id)) continue;
    const isOfSignUp = isMadeSince(id, began);
    const outcome = isOfSignUp ? await putAsideIfEmpty(id) : "kept";
    if (outcome === "kept") log.warn({ file: name }, "No organization owns this file. It is not removed.");
    else if (outcome !== "removed") log.warn({ file: name, now: outcome.path }, putAside);
  }
}
