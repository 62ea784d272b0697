/**
 * Makes e-invoices of random invoices, as XRechnung and as Factur-X, and runs the official rules of EN 16931 and XRechnung over
 * them: `bun scripts/official-rules.ts [invoices=200] [seed]`. Needs the rules in `../shared/en16931`, Java, Saxon-HE and
 * pdfdetach. Exits with 1 if a rule is broken.
 */
import process from "node:process";
import { isInstalled } from "../test/unit/finance/official-rules.ts";
import { brokenIn } from "../test/unit/finance/official-sample.ts";

/** What Java validates at once. */
const PIECE = 100;

const [invoices = "200", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
if (!isInstalled) throw new Error("The rules, Java or Saxon-HE are not there.");
let [broken, documents] = [0, 0];
for (let made = 0; made < Number(invoices); made += PIECE) {
  const rounds = Math.min(PIECE, Number(invoices) - made);
  const found = await brokenIn({ rounds, seed: Number(seed) + made });
  for (const one of found.broken) console.log(one);
  broken += found.broken.length;
  documents += found.documents;
  console.log(`${made + rounds} invoices, ${documents} documents, seed ${seed}: ${broken} broken rules`);
}
process.exit(broken === 0 ? 0 : 1);
