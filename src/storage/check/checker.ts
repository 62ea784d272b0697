import type { AuditChain } from "../audit.ts";
import type { Opened } from "../move/school-head.ts";
import { isLocked, SqliteFailure } from "../sqlite-error.ts";
import type { Checked, Copied, Expected, Result, Scrubbed, Sealed, Staged, Task } from "./messages.ts";
import { performTask } from "./perform-task.ts";

type ArgumentsOf<Kind extends Task["kind"]> = Omit<Extract<Task, { kind: Kind }>, "kind" | "path">;

/** Called before a table is read; with an empty text, when a file is copied. */
export type OnTable = (table: string) => void;

/** Reads and migrates whole database files. */
export interface Checker {
  /** Returns the faults of a file, and its version. @throws the check was not finished */
  check(path: string, expected: Expected): Promise<Checked>;
  /** Migrates a tenant's file that is not open. @throws SqliteFailure, or another error: the file is left as it was */
  migrate(path: string): Promise<void>;
  /** Recomputes the audit log of a file, see `readAuditChain`. @throws Unreadable */
  auditChain(path: string, sealedSeq: number): Promise<AuditChain>;
  /** Reads a piece of a file, see `scrubFile`. @throws the piece was not read */
  scrub(path: string, piece: ArgumentsOf<"scrub">): Promise<Scrubbed>;
  /** Makes a copy of a database for a backup, see `copyDatabase`. @throws Unreadable, SqliteFailure: there is no copy */
  copy(path: string, task: ArgumentsOf<"copy">, onTable?: OnTable): Promise<Copied>;
  /** Puts a file of a backup where it will be used, see `stageFile`. @throws Unreadable, SqliteFailure */
  stage(path: string, task: ArgumentsOf<"stage">, onTable?: OnTable): Promise<Staged>;
  /** Writes the file of a school that moves, see `sealSchool`. @throws Unreadable, or another error: there may be a part of a file */
  sealSchool(path: string, task: ArgumentsOf<"seal-school">): Promise<Sealed>;
  /** Reads such a file, see `openSchool`. @throws the file can't be read */
  openSchool(path: string, task: ArgumentsOf<"open-school">): Promise<Opened>;
  /** See `prepareSchool`. @throws SqliteFailure, or another error */
  prepareSchool(path: string, key: ArgumentsOf<"prepare-school">["key"]): Promise<void>;
  /** Ends copies and stages that are not finished: they throw. No further ones can be made. */
  endCopies(): void;
  close(): void;
}

/** A file, or a table in it, can't be read. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** Reading the file ended the process that read it. */
export class EndsReader extends Error {
  override readonly name = "EndsReader";
}

/** @param perform performs a task, in whatever process */
export function createChecker(
  perform: (task: Task, onTable?: OnTable) => Promise<Result>,
  close: () => void,
  endCopies: () => void = () => undefined,
): Checker {
  return {
    async check(path, expected) {
      try {
        const result = await perform({ kind: "check", path, expected });
        if (result.kind === "check") return result;
        const failure = failureOf(result);
        if (isLocked(failure)) throw failure;
        return { faults: [messageOf(result)] };
      } catch (error) {
        if (error instanceof EndsReader) return { faults: [error.message] };
        throw error;
      }
    },
    async migrate(path) {
      const result = await perform({ kind: "migrate", path });
      if (result.kind === "migrate") return;
      throw failureOf(result);
    },
    async scrub(path, piece) {
      const result = await perform({ kind: "scrub", path, ...piece }).catch((error: unknown) => {
        if (!(error instanceof EndsReader)) throw error;
        return { kind: "scrub" as const, next: null, faults: [error.message], damaged: [], missing: [] };
      });
      if (result.kind !== "scrub") throw new Unreadable(messageOf(result));
      return result;
    },
    async copy(path, task, onTable) {
      const result = await perform({ kind: "copy", path, ...task }, onTable).catch(unreadable);
      if (result.kind !== "copy") throw failureOf(result);
      return result;
    },
    async stage(path, task, onTable) {
      const result = await perform({ kind: "stage", path, ...task }, onTable).catch(unreadable);
      if (result.kind !== "stage") throw failureOf(result);
      return result;
    },
    async sealSchool(path, task) {
      const result = await perform({ kind: "seal-school", path, ...task }).catch(unreadable);
      if (result.kind !== "seal-school") throw failureOf(result);
      return result;
    },
    async openSchool(path, task) {
      const result = await perform({ kind: "open-school", path, ...task }).catch((error: unknown) => {
        if (!(error instanceof EndsReader)) throw error;
        return { kind: "open-school" as const, faults: [error.message], head: null, described: null };
      });
      if (result.kind !== "open-school") throw failureOf(result);
      return result;
    },
    async prepareSchool(path, key) {
      const result = await perform({ kind: "prepare-school", path, key }).catch(unreadable);
      if (result.kind !== "prepare-school") throw failureOf(result);
    },
    async auditChain(path, sealedSeq) {
      const result = await perform({ kind: "audit", path, sealedSeq }).catch(unreadable);
      if (result.kind !== "audit") throw new Unreadable(messageOf(result));
      const { rows, fault, sealed } = result.chain;
      return { rows, fault, sealed };
    },
    endCopies,
    close,
  };
}

function unreadable(cause: unknown): never {
  throw new Unreadable(cause instanceof Error ? cause.message : String(cause), { cause });
}

function failureOf(result: Result): Error {
  const code = result.kind === "error" ? result.code : undefined;
  return code === undefined ? new Error(messageOf(result)) : new SqliteFailure(code, messageOf(result));
}

const messageOf = (result: Result): string => (result.kind === "error" ? result.message : "the answer is unexpected");

/** Reads files in this process. Some damage ends it. */
export const checkerInThisProcess: Checker = createChecker(
  (task, onTable = () => undefined) => performTask(task, onTable),
  () => undefined,
);
