import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createEInvoice } from "../../../src/modules/finance/documents/e-invoice.ts";
import { eInvoiceArgument, readsFiles } from "../../../src/runtime/own-program.ts";
import { denoPath, isLinuxX64, root } from "../../runtime/runtimes.ts";
import { eInvoice } from "../../support/installation.ts";
import { creditNoteOf, flight, invoiceOf } from "./invoices.ts";
import { readUbl } from "./read-ubl.ts";

// A process loads the e-invoice library in about a second, and in many when others work.
setDefaultTimeout(60_000);

const invoice = invoiceOf([flight]);
const running = (script: string, limit?: number) =>
  createEInvoice({ file: process.execPath, args: ["-e", script] }, limit);
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test("eInvoice returns what a process of this program makes", async () => {
  const credit = creditNoteOf([flight]);
  expect(readUbl(textOf(await eInvoice(credit, "xrechnung")))).toMatchObject({ type: "381", number: credit.number });
  expect(textOf(await eInvoice(invoice, "factur-x"))).toStartWith("%PDF-1.");
});

test.skipIf(!isLinuxX64)("eInvoice has the permissions that it needs on Deno", async () => {
  const args = ["run", "--no-prompt", ...readsFiles, join(root, "src/main.ts"), eInvoiceArgument];
  const onDeno = createEInvoice({ file: denoPath, args });
  expect(textOf(await onDeno(invoice, "xrechnung"))).toBe(textOf(await eInvoice(invoice, "xrechnung")));
  expect(textOf(await onDeno(invoice, "factur-x"))).toStartWith("%PDF-1.");
});

test.each(isLinuxX64 ? [process.execPath, denoPath] : [process.execPath])(
  "eInvoice needs no folder for temporary files: %s",
  async (file) => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = "/nonexistent";
    try {
      const args = [join(root, "src/main.ts"), eInvoiceArgument];
      const make = createEInvoice({
        file,
        args: file === denoPath ? ["run", "--no-prompt", ...readsFiles, ...args] : args,
      });
      expect(readUbl(textOf(await make(invoice, "xrechnung"))).number).toBe(invoice.number);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  },
);

test("eInvoice names the faults that only the process finds", async () => {
  const made = eInvoice({ ...invoice, seller: { ...invoice.seller, country: "QQ" } }, "factur-x");
  await expect(made).rejects.toMatchObject({ code: "VALIDATION_ERROR", issues: [{ path: "seller.country" }] });
});

test("eInvoice starts no process for an invoice that lacks something", async () => {
  const { buyer } = invoice;
  const made = running("process.exit(1)")({ ...invoice, buyer: { ...buyer, city: null } }, "xrechnung");
  await expect(made).rejects.toMatchObject({ code: "VALIDATION_ERROR", issues: [{ path: "buyer.city" }] });
});

test("eInvoice kills a process at the time limit, and reports one that fails", async () => {
  await expect(running("setInterval(() => {}, 1000)", 1)(invoice, "xrechnung")).rejects.toThrow("killed at its limit");
  const failing = running(`console.error("no memory"); process.exit(1)`);
  await expect(failing(invoice, "xrechnung")).rejects.toThrow("could not be made: no memory");
});

test("eInvoice has one process at a time, and refuses when many wait", async () => {
  const folder = mkdtempSync(join(tmpdir(), "windsock-e-invoice-"));
  try {
    // Fails if another process has the folder.
    const alone = running(`
      const fs = require("node:fs");
      fs.mkdirSync(${JSON.stringify(join(folder, "lock"))});
      process.stdin.resume().on("end", () => {
        fs.rmdirSync(${JSON.stringify(join(folder, "lock"))});
        process.stdout.write("made");
      });`);
    const made = await Promise.allSettled(Array.from({ length: 21 }, () => alone(invoice, "xrechnung")));
    const [last, ...others] = made.reverse();
    expect(others.map((one) => one.status === "fulfilled" && textOf(one.value))).toEqual(others.map(() => "made"));
    expect(last).toMatchObject({ status: "rejected", reason: { code: "UNAVAILABLE", retryAfter: 10 } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the process has no secret in its environment", async () => {
  process.env.WINDSOCK_E_INVOICE_TEST = "secret";
  try {
    const names = textOf(await running("console.log(Object.keys(process.env).join())")(invoice, "xrechnung"));
    expect(names).toContain("PATH");
    expect(names).not.toContain("WINDSOCK_");
  } finally {
    delete process.env.WINDSOCK_E_INVOICE_TEST;
  }
});
