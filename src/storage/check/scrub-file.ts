/** Reads a whole database in pieces, so that no piece takes long and a night's work can end after any of them. */
import { statSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { messageOf } from "../../core/system-error.ts";
import type { AuditChain } from "../audit.ts";
import type { Connection } from "../connection.ts";
import { openReadOnly } from "./check-file.ts";
import { findContradictions } from "./contradictions.ts";
import { invalidJson } from "./invalid-json.ts";
import { invalidIn } from "./invalid-text.ts";
import type { Place, Scrubbed } from "./messages.ts";
import { checkPacksAfter, readFileAfter, storedFiles } from "./stored-files.ts";

/** SQLite can't interrupt `integrity_check`, which reads 150 MB in a second. */
const usualSize = 128 * 1024 * 1024;

/** Rows in a piece. */
const auditRows = 2000;
const packs = 20;

type Found = Pick<Scrubbed, "faults" | "damaged" | "missing">;

interface Step {
  name: string;
  /** @returns the row after which the next piece begins; null at the end */
  piece(after: number, found: Found): Promise<number | null> | number | null;
}

interface Options {
  path: string;
  /** Where to begin; null: at the beginning. */
  from: Place | null;
  /** Milliseconds after which no further piece begins. */
  time: number;
  /** Only what `checkFile` does not read. */
  contentOnly: boolean;
  onTable(table: string): void;
  /** In bytes: a larger file is compared table by table. */
  wholeUpTo?: number;
}

/** Call it in a process of its own: damage can end it. */
export async function scrubFile({
  path,
  from,
  time,
  contentOnly,
  onTable,
  wholeUpTo = usualSize,
}: Options): Promise<Scrubbed> {
  const found: Found = { faults: [], damaged: [], missing: [] };
  const end = performance.now() + time;
  const connection = openReadOnly(path);
  try {
    const steps = [
      ...(contentOnly ? [] : await structure(connection, statSync(path).size > wholeUpTo)),
      ...content(connection),
    ];
    // A table may have been removed by an upgrade: then from the beginning.
    let at = Math.max(
      0,
      steps.findIndex(({ name }) => name === from?.step),
    );
    let after: number | null = steps[at]?.name === from?.step ? (from?.after ?? 0) : 0;
    for (let step = steps[at]; step !== undefined; ) {
      onTable(step.name);
      after = await step.piece(after, found);
      if (after === null) {
        at += 1;
        after = 0;
        step = steps[at];
      }
      if (step !== undefined && performance.now() >= end) return { next: { step: step.name, after }, ...found };
    }
    return { next: null, ...found };
  } catch (error) {
    found.faults.push(messageOf(error));
    return { next: null, ...found };
  } finally {
    connection.close();
  }
}

/** What would take the file out of service. */
async function structure(connection: Connection, isLarge: boolean): Promise<Step[]> {
  const { rows } = await connection.execute("select name from sqlite_schema where type = 'table' order by name");
  // Their content is read with the files.
  const chunks = new Set(storedFiles.map((files) => files.chunks));
  const tables = rows.map((row) => String(Array.from(row)[0])).filter((name) => !(isLarge && chunks.has(name)));
  return [
    ...tables.map((table) => ({
      name: table,
      async piece(_: number, { faults }: Found) {
        for await (const fault of invalidIn(connection, table)) faults.push(fault);
        if (isLarge) faults.push(...(await integrity(connection, table)));
        return null;
      },
    })),
    {
      name: "integrity",
      async piece(_, { faults }) {
        if (!isLarge) faults.push(...(await integrity(connection)));
        return null;
      },
    },
    {
      name: "json",
      async piece(_, { faults }) {
        faults.push(...(await invalidJson(connection)));
        return null;
      },
    },
  ];
}

async function integrity(connection: Connection, table?: string): Promise<string[]> {
  const argument = table === undefined ? "" : `('${table.replaceAll("'", "''")}')`;
  const { rows } = await connection.execute(`PRAGMA integrity_check${argument}`);
  return rows.flatMap((row) => String(Array.from(row)[0]).split("\n")).filter((line) => line !== "ok");
}

/** What is damaged in itself only: the school is used on. */
function content(connection: Connection): Step[] {
  const has = (table: string) => connection.first("select 1 from sqlite_schema where name = ?", [table]) !== undefined;
  const steps: Step[] = [{ name: "audit", piece: (after, found) => auditPiece(connection, after, found) }];
  for (const files of storedFiles) {
    if (!has(files.table)) continue;
    const piece = (after: number, { damaged, missing }: Found) => {
      const file = readFileAfter(connection, files, after);
      if (file === undefined) return null;
      const { rowid, sha256 } = file;
      if (file.fault !== null) damaged.push(file.fault);
      if (file.missing !== null)
        missing.push({ table: files.table, rowid, sha256, digests: file.missing.toString("hex") });
      return rowid;
    };
    steps.push({ name: `files of ${files.table}`, piece });
  }
  if (has("evidence_packs"))
    steps.push({
      name: "manifests",
      piece(after, { damaged }) {
        const { faults, last } = checkPacksAfter(connection, after, packs);
        damaged.push(...faults);
        return last;
      },
    });
  steps.push({
    name: "contradictions",
    async piece(_, { damaged }) {
      damaged.push(...(await findContradictions(connection)));
      return null;
    },
  });
  return steps;
}

async function auditPiece(connection: Connection, after: number, { damaged }: Found): Promise<number | null> {
  // Loaded only here: they take most of the start of the process.
  const [{ drizzleOn }, { readAuditChain }] = await Promise.all([import("../drizzle-on.ts"), import("../audit.ts")]);
  const chain: AuditChain = await readAuditChain(drizzleOn(connection), 0, { after, most: auditRows });
  if (chain.fault !== undefined) damaged.push(`audit_log: ${chain.fault}`);
  return chain.fault === undefined && chain.rows === after + auditRows ? chain.rows : null;
}
