/**
 * The process that makes e-invoices (`modules/finance/documents/e-invoice.ts`). It takes one a line from standard input, and ends
 * with it.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import type { z } from "zod";
import { Problem } from "../core/errors.ts";
import type { Made, Task } from "../modules/finance/documents/e-invoice.ts";
import { makeEInvoice } from "../modules/finance/documents/make-e-invoice.ts";

// A terminal sends Ctrl-C to all its processes. The server ends this one.
process.on("SIGINT", () => undefined);

// The library needs none, but looks for it when it is loaded. Deno rejects folders in /dev.
process.env.TMPDIR = "/";

for await (const line of createInterface({ input: process.stdin })) {
  const result = JSON.stringify(await made(JSON.parse(line) as Task));
  await new Promise((resolve) => process.stdout.write(`${result}\n`, resolve));
}
process.exit();

async function made({ invoice, format }: Task): Promise<z.infer<typeof Made>> {
  try {
    return { content: Buffer.from(await makeEInvoice(invoice, format)).toString("base64") };
  } catch (error) {
    if (error instanceof Problem && error.issues) return { issues: [...error.issues] };
    throw error;
  }
}
