/** The process that makes an e-invoice (`modules/finance/documents/e-invoice.ts`): from standard input to standard output. */
import process from "node:process";
import { text } from "node:stream/consumers";
import { Problem } from "../core/errors.ts";
import { notValid } from "../modules/finance/documents/e-invoice.ts";
import type { EInvoiceFormat } from "../modules/finance/documents/e-invoice-issues.ts";
import type { InvoiceDocument } from "../modules/finance/documents/invoice-document.ts";
import { makeEInvoice } from "../modules/finance/documents/make-e-invoice.ts";

interface Input {
  invoice: InvoiceDocument;
  format: EInvoiceFormat;
}

// A terminal sends Ctrl-C to all its processes. The server waits for this one.
process.on("SIGINT", () => undefined);

// The library needs none, but looks for it when it is loaded. Deno rejects folders in /dev.
process.env.TMPDIR = "/";

const { invoice, format } = JSON.parse(await text(process.stdin)) as Input;
let output: Uint8Array;
try {
  output = await makeEInvoice(invoice, format);
} catch (error) {
  if (!(error instanceof Problem && error.issues)) throw error;
  output = Buffer.from(JSON.stringify(error.issues));
  process.exitCode = notValid;
}
await new Promise((resolve) => process.stdout.write(output, resolve));
process.exit();
