/** The XML of e-invoices: of an XRechnung, and of what another program finds in a Factur-X PDF. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InvoiceDocument } from "../../../src/modules/finance/documents/invoice-document.ts";
import { makeEInvoice } from "../../../src/modules/finance/documents/make-e-invoice.ts";

export async function ublOf(invoice: InvoiceDocument): Promise<string> {
  return Buffer.from(await makeEInvoice(invoice, "xrechnung")).toString();
}

/** Whether `facturXOf` can read PDF files. */
export const readsPdf = Bun.which("pdfdetach") !== null;

export async function facturXOf(invoice: InvoiceDocument): Promise<{ xml: string; metadata: Buffer; info: string }> {
  const folder = mkdtempSync(join(tmpdir(), "windsock-e-invoice-"));
  try {
    writeFileSync(join(folder, "invoice.pdf"), await makeEInvoice(invoice, "factur-x"));
    const run = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: folder, stdio: "pipe" });
    if (!run("pdfdetach", "-list", "invoice.pdf").toString().includes("1: factur-x.xml"))
      throw new Error("The PDF has no file factur-x.xml.");
    run("pdfdetach", "-save", "1", "-o", "factur-x.xml", "invoice.pdf");
    const xml = readFileSync(join(folder, "factur-x.xml"), "utf8");
    return { xml, metadata: run("pdfinfo", "-meta", "invoice.pdf"), info: run("pdfinfo", "invoice.pdf").toString() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
