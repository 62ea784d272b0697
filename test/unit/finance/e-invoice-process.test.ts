import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";
import { yieldToEventLoop } from "../../../src/core/async.ts";
import { newId, type OrgId } from "../../../src/core/ids.ts";
import { createEInvoices } from "../../../src/modules/finance/documents/e-invoice.ts";
import { eInvoiceArgument, readsFiles } from "../../../src/runtime/own-program.ts";
import { denoPath, isLinuxX64, root } from "../../runtime/runtimes.ts";
import { TestClock } from "../../support/clock.ts";
import { eInvoice, makerOf } from "../../support/installation.ts";
import { times } from "../../support/school.ts";
import { creditNoteOf, flight, invoiceOf } from "./invoices.ts";
import { readUbl } from "./read-ubl.ts";

// A process loads the e-invoice library in about a second, and in many when others work.
setDefaultTimeout(60_000);

const invoice = invoiceOf([flight]);

/** @param script answers each line of `lines` */
const children = (script: string, options?: Parameters<typeof createEInvoices>[1]) => {
  const read = `const send = (content) => console.log(JSON.stringify({ content: Buffer.from(content).toString("base64") }));
    const lines = require("node:readline").createInterface({ input: process.stdin });`;
  return createEInvoices({ file: process.execPath, args: ["-e", `${read}${script}`] }, options);
};
const running = (...child: Parameters<typeof children>) => makerOf(children(...child));
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test("eInvoice returns what a process of this program makes", async () => {
  const credit = creditNoteOf([flight]);
  expect(readUbl(textOf(await eInvoice(credit, "xrechnung")))).toMatchObject({ type: "381", number: credit.number });
  expect(textOf(await eInvoice(invoice, "factur-x"))).toStartWith("%PDF-1.");
});

test.skipIf(!isLinuxX64)("eInvoice has the permissions that it needs on Deno", async () => {
  const args = ["run", "--no-prompt", ...readsFiles, join(root, "src/main.ts"), eInvoiceArgument];
  const onDeno = makerOf(createEInvoices({ file: denoPath, args }));
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
      const permitted = file === denoPath ? ["run", "--no-prompt", ...readsFiles, ...args] : args;
      const make = makerOf(createEInvoices({ file, args: permitted }));
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
  const slow = running("setInterval(() => {}, 1000)", { limit: 1 });
  await expect(slow(invoice, "xrechnung")).rejects.toThrow("not finished within 0 s");
  const failing = running(`console.error("no memory"); process.exit(1)`);
  await expect(failing(invoice, "xrechnung")).rejects.toThrow(/could not be made: .*no memory/);
});

test("the process makes one e-invoice after another, and is started again when it was ended", async () => {
  const counts = `let count = 0;
    lines.on("line", () => {
      count += 1;
      if (count === 3) process.exit();
      send(process.pid + " " + count);
    });`;
  const made = running(counts);
  const [pid, ...rest] = textOf(await made(invoice, "xrechnung")).split(" ");
  expect(rest).toEqual(["1"]);
  expect(textOf(await made(invoice, "xrechnung"))).toBe(`${pid} 2`);
  await expect(made(invoice, "xrechnung")).rejects.toThrow("ended with 0");
  const [next, count] = textOf(await made(invoice, "xrechnung")).split(" ");
  expect([next === pid, count]).toEqual([false, "1"]);
});

test("the process ends when it has been idle", async () => {
  const made = running(`lines.on("line", () => send(String(process.pid)));`, { idleTime: 1 });
  const pid = Number(textOf(await made(invoice, "xrechnung")));
  while (isRunning(pid)) await yieldToEventLoop();
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("an organization with many e-invoices delays no other, and has a limit of its own", async () => {
  const { inTurn, close } = children(`lines.on("line", (line) => send(JSON.parse(line).invoice.number));`);
  const [one, other] = [newId<"organization">(new TestClock()), newId<"organization">(new TestClock())];
  const order: string[] = [];
  const request = (orgId: OrgId, number: string, signal?: AbortSignal) =>
    inTurn({ orgId, ...(signal && { signal }) }, async (make) => {
      order.push(textOf(await make({ ...invoice, number }, "xrechnung")));
    });
  const left = new AbortController();
  const many = times(59, (at) => request(one, `one ${at}`));
  const dropped = request(one, "dropped", left.signal);
  await expect(request(one, "too many")).rejects.toMatchObject({ code: "UNAVAILABLE", retryAfter: 10 });
  const few = times(2, (at) => request(other, `other ${at}`));
  left.abort();
  await expect(dropped).rejects.toMatchObject({ code: "UNAVAILABLE", message: "The client has left." });
  await Promise.all([...many, ...few]);
  expect(order.slice(0, 5)).toEqual(["one 0", "one 1", "other 0", "one 2", "other 1"]);
  expect(order).toHaveLength(61);
  close();
});

test("the process has no secret in its environment", async () => {
  process.env.WINDSOCK_E_INVOICE_TEST = "secret";
  try {
    const names = textOf(
      await running(`lines.on("line", () => send(Object.keys(process.env).join()));`)(invoice, "xrechnung"),
    );
    expect(names).toContain("PATH");
    expect(names).not.toContain("WINDSOCK_");
  } finally {
    delete process.env.WINDSOCK_E_INVOICE_TEST;
  }
});
