/**
 * E-invoices, made by a process of its own, which is this program again (`cli/e-invoice-process.ts`): in the server, the
 * computing would stop all requests, and the memory would stay in use. It makes one at a time, and stays for a while: to load the
 * library and to compile its schemas takes longer than an invoice.
 */
import { z } from "zod";
import { seconds } from "../../../core/clock.ts";
import { Problem, throwIfAny } from "../../../core/errors.ts";
import type { OrgId } from "../../../core/ids.ts";
import { issueCodeNames } from "../../../core/issues.ts";
import { type Command, TaskProcess } from "../../../core/task-process.ts";
import { Turns } from "../../../core/turns.ts";
import { type EInvoiceFormat, eInvoiceIssues } from "./e-invoice-issues.ts";
import type { InvoiceDocument } from "./invoice-document.ts";

/**
 * Returns the bytes of an e-invoice: XML or PDF.
 *
 * @throws VALIDATION_ERROR it lacks what the format needs; the paths are those of `InvoiceDocument`
 */
export type MakeEInvoice = (invoice: InvoiceDocument, format: EInvoiceFormat) => Promise<Uint8Array>;

/** Whose e-invoices. */
interface For {
  orgId: OrgId;
  /** Aborted when the client has left. */
  signal?: AbortSignal;
}

export interface EInvoices {
  /**
   * Waits until it is the organization's turn, and lets `work` make e-invoices meanwhile.
   *
   * @throws UNAVAILABLE too many wait
   */
  inTurn<T>(by: For, work: (make: MakeEInvoice) => Promise<T>): Promise<T>;
  /** How many are being made, or wait for that. */
  waiting(): number;
  /** Ends the process. */
  close(): void;
}

/** What the process writes: the e-invoice in base64, or what it lacks. */
export const Made = z.union([
  z.strictObject({ content: z.base64() }),
  z.strictObject({
    issues: z.array(
      z.strictObject({
        path: z.string(),
        code: z.enum(issueCodeNames),
        params: z.custom<object>().exactOptional(),
        message: z.string(),
        declared: z.string().exactOptional(),
      }),
    ),
  }),
]);

/** What the process reads. */
export interface Task {
  invoice: InvoiceDocument;
  format: EInvoiceFormat;
}

/** How many may be in progress or waiting: each takes some 0.3 s. */
const most = { ofOne: 60, ofAll: 600 };

interface Options {
  /** Milliseconds after which the process is killed. The first e-invoice of a process takes 2 s, and more if others work. */
  limit?: number;
  /** Milliseconds without work after which the process ends. */
  idleTime?: number;
}

export function createEInvoices(command: Command, options: Options = {}): EInvoices {
  const { limit = seconds(60), idleTime = seconds(60) } = options;
  const turns = new Turns(most);
  const child = new TaskProcess(command, { idleTime });
  const make: MakeEInvoice = async (invoice, format) => {
    throwIfAny(eInvoiceIssues(invoice, format));
    const task: Task = { invoice, format };
    const made = await child
      .perform(task, (line) => Made.parse(JSON.parse(line)), limit)
      .catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`An e-invoice could not be made: ${reason}`, { cause });
      });
    if ("content" in made) return Buffer.from(made.content, "base64");
    throwIfAny(made.issues);
    throw new Error("The process for e-invoices made nothing, and names no fault.");
  };
  return {
    async inTurn({ orgId, signal }, work) {
      if (!turns.hasRoom(orgId))
        throw new Problem("UNAVAILABLE", "Too many e-invoices are being made.", { retryAfter: 10 });
      return turns.run(orgId, () => work(make), signal);
    },
    waiting: () => turns.size,
    close: () => child.close(),
  };
}
