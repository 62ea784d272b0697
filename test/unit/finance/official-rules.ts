/** The official rules of EN 16931 and XRechnung, which lie beside the repository on some machines: run by Java and Saxon-HE. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { XMLParser } from "fast-xml-parser";

const rules = join(import.meta.dir, "../../../../shared/en16931");
const jars = "/usr/share/java";
const jar = existsSync(jars) && readdirSync(jars).find((name) => /^Saxon-HE.*\.jar$/.test(name));

export const isInstalled = existsSync(rules) && Bun.which("java") !== null && Boolean(jar);

/** The sets of rules of each syntax: each is one run of Java over all files. */
const sets = { UBL: ["EN16931-UBL", "XRechnung-UBL"], CII: ["EN16931-CII"] };

/** For programs that run a few seconds: without the compiler and the collector that pay off later. */
const short = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

const run = promisify(execFile);
const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  isArray: (name) => name === "failed-assert",
});

/** Returns the rules that each of the files breaks, warnings included. @param files XML by name */
export async function officiallyBroken(files: ReadonlyMap<string, string>): Promise<Map<string, string[]>> {
  const folder = mkdtempSync(join(tmpdir(), "windsock-rules-"));
  const broken = new Map([...files.keys()].map((name): [string, string[]] => [name, []]));
  try {
    for (const [syntax, names] of Object.entries(sets)) {
      const source = join(folder, syntax);
      mkdirSync(source);
      const mine = [...files].filter(([, xml]) => xml.includes("CrossIndustryInvoice") === (syntax === "CII"));
      for (const [name, xml] of mine) writeFileSync(join(source, `${name}.xml`), xml);
      if (mine.length === 0) continue;
      for (const set of names) {
        const reports = join(folder, set);
        mkdirSync(reports);
        const paths = [`-s:${source}`, `-xsl:${join(rules, `${set}-validation.xslt`)}`, `-o:${reports}`];
        await run("java", [...short, "-cp", join(jars, jar || ""), "net.sf.saxon.Transform", ...paths]).catch(
          ({ stderr }) => {
            throw new Error(`The rules can't be run: ${String(stderr).slice(0, 500)}`);
          },
        );
        for (const [name] of mine)
          broken.get(name)?.push(...failed(readFileSync(join(reports, `${name}.xml`), "utf8")));
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return broken;
}

/** Returns the codes of VATEX that both syntaxes permit. */
export function officialReasonCodes(): string[] {
  const [ubl = [], cii = []] = [...sets.UBL.slice(0, 1), ...sets.CII].map((set) => {
    const text = readFileSync(join(rules, `${set}-validation.xslt`), "utf8");
    return /contains\('( VATEX-[^']*)'/.exec(text)?.[1]?.trim().split(" ") ?? [];
  });
  return ubl.filter((code) => cii.includes(code));
}

/** Returns the numbers of the rules in a report. */
function failed(report: string): string[] {
  const output = parser.parse(report)["schematron-output"];
  if (output["fired-rule"] === undefined) throw new Error("No rule was run.");
  return (output["failed-assert"] ?? []).map((one: Record<string, string>) => one["@_id"]);
}
