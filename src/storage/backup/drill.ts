import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { KeyRing } from "../../core/crypto.ts";
import type { OrgId } from "../../core/ids.ts";
import type { OnProgress } from "../../core/progress.ts";
import { messageOf } from "../../core/system-error.ts";
import { type AuditHead, verifyAudit } from "../audit.ts";
import { openReadOnly } from "../check/check-file.ts";
import type { Checker } from "../check/checker.ts";
import type { Place } from "../check/messages.ts";
import { NoSpace, requireSpace } from "../disk-space.ts";
import { controlSeal, tenantSeal } from "../installation.ts";
import { isDiskFull } from "../sqlite-error.ts";
import { removeDatabase } from "../tenant-file.ts";
import { CopyProgress } from "./copy-progress.ts";
import type { CopiedFile } from "./manifest.ts";
import { type Backup, partialName } from "./places.ts";

interface DrillOptions {
  checker: Checker;
  keys: KeyRing;
  /** An empty directory is made in it. */
  scratchIn: string;
  /** The file with the identity that opens an encrypted backup. */
  identity?: string | undefined;
  stopping: AbortSignal;
  onProgress?: OnProgress | undefined;
}

export interface Drilled {
  databases: number;
  /** One line each. */
  faults: string[];
  /** Whether the databases were opened: without an identity, only the digests of an encrypted backup can be compared. */
  isOpened: boolean;
}

const notTried = "The backup was not tried.";

/** Milliseconds of a piece, see `scrubFile`. */
const pieceTime = 500;

/**
 * Tries a restore: puts each file of a backup into a scratch directory as a restore does, checks it, and verifies its audit log against the
 * head that the backup's control database has. One file at a time, so it needs the space of the largest and of the control database.
 *
 * @throws NoSpace the disk is full, which says nothing about the backup
 */
export async function drillBackup({ path, manifest }: Backup, options: DrillOptions): Promise<Drilled> {
  const { checker, keys, scratchIn, identity, stopping, onProgress } = options;
  const isEncrypted = manifest.recipient !== null;
  const isOpened = !isEncrypted || identity !== undefined;
  const scratch = join(scratchIn, partialName(keys.id, "drill"));
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o700 });
  const controlPath = join(scratch, "control.db");
  const faults: string[] = [];
  const progress = new CopyProgress(onProgress);
  progress.expect(manifest.files);
  const drill = async ({ name, database, bytes, sha256, audit_rows }: CopiedFile) => {
    const to = join(scratch, `${database}.db`);
    const expected =
      database === "control"
        ? { kind: "control" as const }
        : { kind: "tenant" as const, orgId: database, isNew: false };
    const opening = isOpened ? { expected, ...(isEncrypted && { identity }) } : {};
    if (isOpened) requireSpace(scratchIn, { bytes, outcome: notTried });
    const staged = await progress.follow({ name: database, bytes, to }, (onTable) =>
      checker.stage(join(path, name), { to, bytes, sha256, ...opening }, onTable),
    );
    if (!isOpened || staged.faults.length > 0) return staged.faults;
    const found = await contentOf(checker, to);
    const head = headOf(controlPath, database);
    const chain = await checker.auditChain(to, Math.min(head.seq, audit_rows));
    if (chain.fault !== undefined || chain.rows !== audit_rows)
      return [...found, chain.fault ?? `the audit log has ${chain.rows} rows, and the manifest says ${audit_rows}`];
    // A school that was written to after its copy is behind the head: a restore accepts it.
    if (head.seq > chain.rows) return found;
    const seal = database === "control" ? controlSeal(keys) : tenantSeal(keys, database);
    const { fault } = verifyAudit(chain, seal, head);
    return fault === undefined ? found : [...found, fault];
  };
  try {
    // The control database is the first: it has the heads.
    for (const file of manifest.files) {
      stopping.throwIfAborted();
      const found = await drill(file).catch((error: unknown) => {
        stopping.throwIfAborted();
        if (error instanceof NoSpace) throw error;
        if (isDiskFull(error)) throw new NoSpace(scratchIn, { bytes: file.bytes, outcome: notTried, cause: error });
        return [messageOf(error)];
      });
      progress.finished(file);
      faults.push(...found.map((fault) => `${file.name}: ${fault}`));
      if (file.database !== "control") await removeDatabase(join(scratch, `${file.database}.db`));
      else if (found.length > 0) break;
    }
    return { databases: manifest.files.length, faults, isOpened };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function contentOf(checker: Checker, path: string): Promise<string[]> {
  const found: string[] = [];
  for (let from: Place | null = null; ; ) {
    const { next, faults, damaged }: Awaited<ReturnType<Checker["scrub"]>> = await checker.scrub(path, {
      ...{ from, time: pieceTime, contentOnly: true },
    });
    found.push(...faults, ...damaged);
    if (next === null) return found;
    from = next;
  }
}

/** The sealed head of an audit log in a copy of the control database. */
function headOf(control: string, database: "control" | OrgId): AuditHead {
  const connection = openReadOnly(control);
  try {
    const [seq, head] =
      (database === "control"
        ? connection.first("select audit_seq, audit_head from installation", [])
        : connection.first("select audit_seq, audit_head from tenant_marks where org_id = ?", [database])) ?? [];
    return { seq: Number(seq ?? 0), head: String(head ?? "") };
  } finally {
    connection.close();
  }
}
