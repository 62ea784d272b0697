/**
 * Flips random bits in the files of schools, and counts who notices: a reader, `windsock check` or `windsock audit verify`.
 * `bun scripts/unnoticed-flips.ts [flips=60] [seed]`, half of them in the content of attachments. Exits with 1 if a damaged
 * file was served as good.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { attach, defectOf } from "../test/http/attachments/attaching.ts";
import { endProcesses, run } from "../test/runtime/processes.ts";
import { type Supervised, supervised } from "../test/runtime/supervised.ts";
import { closeInstallations } from "../test/support/installation.ts";
import { newInvoice, sendInvoice } from "../test/support/money.ts";
import { expectStatus, pdf, type School as TestSchool } from "../test/support/school.ts";
import {
  as,
  flip,
  lists,
  makeSchools,
  type Options,
  optionsFrom,
  pageSize,
  type School,
  signIn,
} from "./flipped-schools.ts";
import { randomFrom } from "./torture.ts";

const areas = ["content of attachments", "everything else"] as const;
type Area = (typeof areas)[number];

/** Who notices first. */
const outcomes = ["a reader", "check", "audit verify", "nobody"] as const;
type Outcome = (typeof outcomes)[number];

interface Report {
  table: Record<Area, Record<Outcome, number>>;
  servedAsGood: number;
}

const noneYet = (): Record<Outcome, number> => ({ "a reader": 0, check: 0, "audit verify": 0, nobody: 0 });

const money = ["/finance/invoices", "/finance/payments", "/finance/summaries", "/finance/aging"];

/** The bytes of each attachment. */
const content = Buffer.from(await pdf(600_000).arrayBuffer());

/** The paths of the attachments' contents, by organization. */
const files = new Map<string, string[]>();

export async function unnoticedFlips({ flips, seed, perRound = 10, onRound }: Options): Promise<Report> {
  const random = randomFrom(seed);
  const table = { "content of attachments": noneYet(), "everything else": noneYet() };
  let [done, servedAsGood] = [0, 0];
  try {
    const { directory, schools } = await makeSchools(Math.min(perRound, flips), addRecords);
    const before = await supervised(directory);
    for (const school of schools) await signIn(before, school);
    await before.stop();
    // With control.db, which has the heads of the audit logs.
    const control = join(directory, "control.db");
    const goodControl = await readFile(control);
    for (const school of schools) school.good = await readFile(school.path);
    while (done < flips) {
      const flipped = schools.slice(0, flips - done);
      const at = new Map<School, Area>();
      await writeFile(control, goodControl);
      for (const [index, school] of flipped.entries()) {
        await writeFile(school.path, school.good);
        const area = areas[index % 2] ?? areas[0];
        at.set(school, area);
        await flipIn(school, random, area);
      }
      const server = await supervised(directory);
      const byReader = new Set<School>();
      for (const school of flipped) {
        const { isNoticed, isWrong } = await read(server, school);
        if (isNoticed) byReader.add(school);
        if (isWrong) servedAsGood += 1;
      }
      const env = { WINDSOCK_DATA_DIR: directory };
      const [checked, verified] = [await run(["check"], { env }), await run(["audit", "verify"], { env })];
      for (const [school, area] of at) {
        const isFault = ({ stdout }: typeof checked) =>
          stdout.split("\n").some((line) => line.includes(school.id) && !/\bok$/.test(line));
        const by = byReader.has(school)
          ? "a reader"
          : isFault(checked)
            ? "check"
            : isFault(verified)
              ? "audit verify"
              : "nobody";
        table[area][by] += 1;
      }
      await server.stop();
      done += flipped.length;
      onRound?.(done);
    }
  } finally {
    await endProcesses();
    await closeInstallations();
  }
  return { table, servedAsGood };
}

async function addRecords(school: TestSchool): Promise<void> {
  const { defect } = await defectOf(school);
  const paths: string[] = [];
  for (let file = 0; file < 2; file += 1) {
    const { id } = await attach(school.owner, defect, { body: new Blob([content], { type: "application/pdf" }) });
    paths.push(`${defect}/${id}/content`);
  }
  files.set(school.orgId, paths);
  for (let invoice = 0; invoice < 5; invoice += 1) {
    const { id, gross_minor } = await sendInvoice(school, await newInvoice(school));
    const payment = { invoice_id: id, amount_minor: gross_minor, method: "cash" };
    if (invoice < 3) expectStatus(201, await school.owner.post("/finance/payments", payment));
  }
}

/** Reads all lists and files of a school. The server may end once. */
async function read(server: Supervised, school: School): Promise<{ isNoticed: boolean; isWrong: boolean }> {
  let [isNoticed, isWrong] = [false, false];
  for (const list of [...lists, ...money]) {
    const answer = await server.ask(`/orgs/${school.id}${list}`, as(school));
    if (answer === undefined || answer.status >= 500) isNoticed = true;
  }
  for (const path of files.get(school.id) ?? []) {
    const answer = await server.ask(`/orgs/${school.id}${path}`, as(school));
    if (answer === undefined || answer.status >= 500 || answer.isCut) isNoticed = true;
    else if (!answer.bytes.equals(content)) isWrong = true;
  }
  return { isNoticed, isWrong };
}

/** Flips one random bit of a page of the area. The file's time does not show it. */
function flipIn(school: School, random: () => number, area: Area): Promise<void> {
  const isContent = (page: number) =>
    school.good
      .subarray(page, page + pageSize)
      .toString("latin1")
      .split("windsock windsock ").length > 50;
  const fits = (at: number) => isContent(at - (at % pageSize)) === (area === "content of attachments");
  return flip(school, { random, isNoted: false, fits });
}

if (import.meta.main) {
  const options = optionsFrom(60);
  const { table, servedAsGood } = await unnoticedFlips(options);
  process.stderr.write("\n");
  for (const area of areas)
    process.stdout.write(
      `${area.padEnd(26)}${outcomes.map((outcome) => `${outcome}: ${table[area][outcome]}`).join("  ")}\n`,
    );
  process.stdout.write(`files served as good: ${servedAsGood} (seed ${options.seed})\n`);
  process.exit(servedAsGood > 0 ? 1 : 0);
}
