import type { AuditChain } from "../audit.ts";
import type { Expected, Result, Task } from "./messages.ts";
import { performTask } from "./perform-task.ts";

/** Reads whole database files. */
export interface Checker {
  /** Returns the faults of a file, one line each; none if it can be used. @throws the check was not finished */
  check(path: string, expected: Expected): Promise<string[]>;
  /** Recomputes the audit log of a file, see `readAuditChain`. @throws Unreadable */
  auditChain(path: string, sealedSeq: number): Promise<AuditChain>;
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
export function createChecker(perform: (task: Task) => Promise<Result>, close: () => void): Checker {
  return {
    async check(path, expected) {
      try {
        const result = await perform({ kind: "check", path, expected });
        return result.kind === "check" ? result.faults : [messageOf(result)];
      } catch (error) {
        if (error instanceof EndsReader) return [error.message];
        throw error;
      }
    },
    async auditChain(path, sealedSeq) {
      const result = await perform({ kind: "audit", path, sealedSeq }).catch((cause: unknown) => {
        throw new Unreadable(cause instanceof Error ? cause.message : String(cause), { cause });
      });
      if (result.kind !== "audit") throw new Unreadable(messageOf(result));
      const { rows, fault, sealed } = result.chain;
      return { rows, fault, sealed };
    },
    close,
  };
}

const messageOf = (result: Result): string => (result.kind === "error" ? result.message : "the answer is unexpected");

/** Reads files in this process. Some damage ends it. */
export const checkerInThisProcess: Checker = createChecker(
  (task) => performTask(task, () => undefined),
  () => undefined,
);
