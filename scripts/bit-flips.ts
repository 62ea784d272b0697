/**
 * Flips random bits in the files of schools and reads them through a server that is started again when it ends:
 * `bun scripts/bit-flips.ts [flips=50] [seed]`. A damaged file may end the server once, and must not disturb another
 * school. Exits with 1 if it does.
 */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { endProcesses } from "../test/runtime/processes.ts";
import { type Supervised, supervised } from "../test/runtime/supervised.ts";
import { closeInstallations } from "../test/support/installation.ts";
import { as, flip, lists, makeSchools, type Options, optionsFrom, type School, signIn } from "./flipped-schools.ts";
import { randomFrom } from "./torture.ts";

interface Report {
  table: Record<string, number>;
  /** Empty when all is well. */
  violations: string[];
}

/** How a bit is flipped: the file's time shows it, or not, or the file is open. */
type How = "noted" | "unnoted" | "open";
const hows: How[] = ["noted", "unnoted", "open"];

export async function bitFlips({ flips, seed, perRound = 10, onRound }: Options): Promise<Report> {
  const random = randomFrom(seed);
  const table = {
    seed,
    flips: 0,
    "out of service": 0,
    "abnormal ends": 0,
    "answered 500": 0,
    "read without a fault": 0,
  };
  const violations: string[] = [];
  try {
    const { directory, schools, healthy } = await makeSchools(Math.min(perRound, flips));
    while (table.flips < flips) {
      const flipped = schools.slice(0, flips - table.flips);
      for (const { path, good } of flipped) await writeFile(path, good);
      const before = await supervised(directory);
      for (const school of [...schools, healthy]) await signIn(before, school);
      for (const school of flipped) await readAll(before, school);
      if (before.restarts() > 0) violations.push("a good file ended the server");
      await before.stop();

      const how = hows[Math.floor(random() * hows.length)] ?? "noted";
      if (how !== "open") for (const school of flipped) await flip(school, { random, isNoted: how === "noted" });
      const server = await supervised(directory);
      if (how === "open") {
        for (const school of flipped) await server.ask(`/orgs/${school.id}/people`, as(school));
        for (const school of flipped) await flip(school, { random, isNoted: true });
      }
      const found = { damaged: 0, failed: 0 };
      const endsOf = new Map<School, number>();
      for (const school of flipped) {
        const earlier = server.restarts();
        let statuses = await readAll(server, school);
        while (statuses === undefined) statuses = await readAll(server, school);
        endsOf.set(school, server.restarts() - earlier);
        if (statuses.includes(503)) found.damaged += 1;
        else if (statuses.includes(500)) found.failed += 1;
        const others = await readAll(server, healthy);
        if (others?.some((status) => status !== 200)) violations.push(`${how}: the other school got ${others}`);
      }
      const ends = server.restarts();
      if (how === "noted" && ends > 0)
        violations.push(`${ends} abnormal ends, though the files' times show the change`);
      await server.stop();

      // The next start knows the damaged files. One whose pages were still in memory may end this server instead.
      const next = await supervised(directory);
      for (const school of [...flipped, healthy]) {
        const earlier = next.restarts();
        while ((await readAll(next, school)) === undefined);
        endsOf.set(school, (endsOf.get(school) ?? 0) + next.restarts() - earlier);
      }
      await next.stop();
      if ((endsOf.get(healthy) ?? 0) > 0) violations.push(`${how}: the other school ended the server`);
      for (const count of endsOf.values()) if (count > 1) violations.push(`${how}: ${count} abnormal ends by one file`);

      table.flips += flipped.length;
      for (const count of endsOf.values()) table["abnormal ends"] += count;
      table["out of service"] += found.damaged;
      table["answered 500"] += found.failed;
      table["read without a fault"] += flipped.length - found.damaged - found.failed;
      onRound?.(table.flips);
    }
  } finally {
    await endProcesses();
    await closeInstallations();
  }
  return { table, violations };
}

/** Returns the statuses of all lists; `undefined` if the server ended meanwhile. */
async function readAll(server: Supervised, school: School): Promise<number[] | undefined> {
  const statuses: number[] = [];
  for (const list of lists) {
    const answer = await server.ask(`/orgs/${school.id}${list}`, as(school));
    if (answer === undefined) return undefined;
    statuses.push(answer.status);
  }
  return statuses;
}

if (import.meta.main) {
  const { table, violations } = await bitFlips(optionsFrom(50));
  process.stderr.write("\n");
  for (const [name, value] of Object.entries(table)) process.stdout.write(`${name.padEnd(32)}${value}\n`);
  for (const violation of violations) process.stdout.write(`VIOLATION ${violation}\n`);
  process.exit(violations.length > 0 ? 1 : 0);
}
