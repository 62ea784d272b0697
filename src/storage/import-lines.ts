/** Writes the lines of a table that somebody uploaded: adds what is new, changes what differs. All of them, or nothing. */
import { type Actor, authorize } from "../core/actor.ts";
import { yieldingEvery } from "../core/async.ts";
import { type Issue, Problem } from "../core/errors.ts";
import type { Faults } from "../core/faults.ts";
import type { Imported, ImportedLine, ImportLine } from "../core/imports.ts";
import type { Permission } from "../core/permissions.ts";
import type { TenantContext } from "./context.ts";
import type { Tx } from "./store.ts";

/** The steps for one line, in the transaction. */
export interface ImportSteps<Row, Given, New> {
  /** Returns the row that the line describes. @throws VALIDATION_ERROR it is not clear which one */
  find(given: Given): Promise<Row | undefined>;
  /** @returns its id @throws VALIDATION_ERROR, CONFLICT */
  add(added: New): Promise<string>;
  /** @param change the given values that differ from the row's @throws VALIDATION_ERROR, CONFLICT */
  change(row: Row, change: Partial<Given>): Promise<void>;
}

export interface Importer<Row, Given, New> {
  permission: Permission;
  /** Reads the whole line as a new resource. */
  asNew(raw: ImportLine<Given>["raw"]): { value: New } | { issues: readonly Issue[] };
  /** Fields that find the row. A line whose value of one has a fault is not looked up. */
  foundBy: readonly string[];
  /** By field: those of which nothing can be said if it has a fault. The empty name is the line as a whole. */
  affects: Readonly<Record<string, readonly string[]>>;
  /** Fields that only find the row, or start a new one. A row that exists keeps its own. */
  kept: readonly (keyof Given & string)[];
  /** Reads what is in the control database, before the transaction. */
  begin(context: TenantContext): Promise<(tx: Tx<"tenant">) => Promise<ImportSteps<Row, Given, New>>>;
}

/** Ends the transaction without a commit. */
class Undone extends Error {}

/**
 * Writes the lines in one transaction. If there are faults, or if it is only tried, nothing is changed.
 *
 * @param faults those of the lines so far; the faults that are found here are added
 */
export async function importLines<Row extends { id: string }, Given extends object, New>(
  context: TenantContext<Actor>,
  importer: Importer<Row, Given, New>,
  { lines, faults, isTrial }: { lines: readonly ImportLine<Given>[]; faults: Faults; isTrial: boolean },
): Promise<Imported> {
  authorize(context.actor, importer.permission);
  const begin = await importer.begin(context);
  const pause = yieldingEvery();
  let imported: Imported = { created: 0, updated: 0, unchanged: 0, lines: [] };
  const work = async (tx: Tx<"tenant">) => {
    imported = { created: 0, updated: 0, unchanged: 0, lines: [] };
    const steps = await begin(tx);
    const lineOf = new Map<string, number>();
    for (const line of lines) {
      if (importer.foundBy.some((name) => line.faulty.includes(name))) continue;
      try {
        await importLine(importer, steps, { line, lineOf, imported });
      } catch (error) {
        // Not an error of the database, so the transaction is whole; it is not committed.
        if (!(error instanceof Problem) || (error.code !== "VALIDATION_ERROR" && error.code !== "CONFLICT"))
          throw error;
        const unclear = unclearFields(importer, line);
        for (const issue of issuesOf(error)) if (!unclear.has(issue.path)) faults.add(line.line, issue);
      }
      await pause();
    }
    if (isTrial || faults.count > 0) throw new Undone();
  };
  try {
    await context.tenant.write(work);
    return imported;
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    if (faults.count > 0) return { ...imported, created: 0, updated: 0, lines: [] };
    const isNew = ({ action }: ImportedLine) => action === "created";
    return { ...imported, lines: imported.lines.map((line) => (isNew(line) ? { ...line, id: null } : line)) };
  }
}

/** Returns the fields of which nothing can be said: those with a fault, and those that depend on them. */
const unclearFields = ({ affects }: Pick<Importer<never, never, never>, "affects">, { faulty }: ImportLine<unknown>) =>
  new Set(faulty.flatMap((name) => [name, ...(affects[name] ?? [])]));

const issuesOf = ({ issues, reason, message }: Problem): readonly Issue[] =>
  issues ?? [{ path: "", code: "conflict", params: { reason: reason ?? null }, message }];

interface Progress<Given> {
  line: ImportLine<Given>;
  /** The line of each row that this import has found or added. */
  lineOf: Map<string, number>;
  imported: Imported;
}

async function importLine<Row extends { id: string }, Given extends object, New>(
  { asNew, kept }: Importer<Row, Given, New>,
  { find, add, change }: ImportSteps<Row, Given, New>,
  { line: { line, given, raw }, lineOf, imported }: Progress<Given>,
): Promise<void> {
  const row = await find(given);
  if (row === undefined) {
    const read = asNew(raw);
    if ("issues" in read) throw new Problem("VALIDATION_ERROR", "The line is not valid.", { issues: read.issues });
    const id = await add(read.value);
    lineOf.set(id, line);
    imported.created += 1;
    imported.lines.push({ line, action: "created", id, changed: [] });
    return;
  }
  const earlier = lineOf.get(row.id);
  if (earlier !== undefined)
    throw new Problem("VALIDATION_ERROR", "The line is not valid.", {
      issues: [{ path: "", code: "duplicate", message: `Describes the same record as line ${earlier}.` }],
    });
  lineOf.set(row.id, line);
  const isKept = (name: string) => kept.some((one) => one === name);
  const changes = differences(row, given).filter(([name]) => !isKept(name));
  if (changes.length === 0) {
    imported.unchanged += 1;
    return;
  }
  await change(row, Object.fromEntries(changes) as Partial<Given>);
  imported.updated += 1;
  imported.lines.push({ line, action: "updated", id: row.id, changed: changes.map(([name]) => name) });
}

/** Returns the given values that differ from the row's. */
export function differences(row: object, given: object): [name: string, value: unknown][] {
  const stored: Record<string, unknown> = { ...row };
  return Object.entries(given).filter(([name, value]) => JSON.stringify(stored[name]) !== JSON.stringify(value));
}
