/**
 * E-invoices, each made by a process of its own, which is this program again (`cli/e-invoice-process.ts`): in the server, the
 * computing would stop all requests, and the memory would stay in use.
 */
import { type ExecFileOptionsWithBufferEncoding, execFile } from "node:child_process";
import { seconds } from "../../../core/clock.ts";
import { type Issue, Problem, throwIfAny } from "../../../core/errors.ts";
import { type CheckCommand, environmentOfChild } from "../../../storage/check/check-process.ts";
import { Mutex } from "../../../storage/mutex.ts";
import { type EInvoiceFormat, eInvoiceIssues } from "./e-invoice-issues.ts";
import type { InvoiceDocument } from "./invoice-document.ts";

/**
 * Returns the bytes of an e-invoice: XML or PDF.
 *
 * @throws VALIDATION_ERROR it lacks what the format needs; the paths are those of `InvoiceDocument`
 * @throws UNAVAILABLE      too many are waiting
 */
export type EInvoice = (invoice: InvoiceDocument, format: EInvoiceFormat) => Promise<Uint8Array>;

/** The process ends with it if the invoice is not valid: standard output has the issues. */
export const notValid = 3;

/** How many may be in progress or waiting. */
const MOST = 20;
/** The most bytes of an e-invoice. */
const LARGEST = 16 * 1024 * 1024;

/** @param limit milliseconds after which the process is killed */
export function createEInvoice(command: CheckCommand, limit = seconds(30)): EInvoice {
  // One at a time: each has a core and some 250 MB.
  const mutex = new Mutex();
  let pending = 0;
  return async (invoice, format) => {
    throwIfAny(eInvoiceIssues(invoice, format));
    if (pending >= MOST) throw new Problem("UNAVAILABLE", "Too many e-invoices are being made.", { retryAfter: 10 });
    pending += 1;
    try {
      return await mutex.run(() => outputOf(command, limit, JSON.stringify({ invoice, format })));
    } finally {
      pending -= 1;
    }
  };
}

/** Gives the input to a process, and returns what it writes. */
function outputOf({ file, args }: CheckCommand, limit: number, input: string): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const options: ExecFileOptionsWithBufferEncoding = {
    encoding: "buffer",
    timeout: limit,
    killSignal: "SIGKILL",
    maxBuffer: LARGEST,
    env: environmentOfChild(),
  };
  const child = execFile(file, args, options, (error, output, errors) => {
    if (error === null) return resolve(output);
    if (error.code === notValid) return reject(notValidBy(output));
    const reason = error.killed ? "it was killed at its limit" : errors.toString().trim().slice(-500);
    reject(new Error(`An e-invoice could not be made: ${reason || error.message}`));
  });
  child.stdin?.on("error", () => undefined); // the end of the process is reported instead
  child.stdin?.end(input);
  return promise;
}

function notValidBy(output: Buffer): unknown {
  try {
    throwIfAny(JSON.parse(output.toString()) as Issue[]);
  } catch (problem) {
    return problem;
  }
}
