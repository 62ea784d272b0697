/** The command line. As a process that it starts itself, it loads only what the task needs. */
import process from "node:process";
import { compileLater } from "./runtime/compilation.ts";
import { checkProcessArgument, eInvoiceArgument } from "./runtime/own-program.ts";

const [, , argument] = process.argv;
if (argument === checkProcessArgument) await import("./cli/check-process.ts");
else if (argument === eInvoiceArgument) await import("./cli/e-invoice-process.ts");
else {
  compileLater();
  await import("./cli/commands.ts");
}
