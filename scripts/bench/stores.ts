/**
 * The ten commonest requests with the databases in files and on a libSQL server, in turns, in one process: the trips to the server,
 * and the processor's time of Windsock itself for each request. That of a file includes SQLite's work; that of a server does not.
 * The goal for an approval is at most 8 trips, and three times the processor's time of a file.
 *
 *   bun scripts/bench/stores.ts [rounds=30]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { hours } from "../../src/core/clock.ts";
import { commonRequests } from "../../test/storage/server/common-requests.ts";
import { variablesFor } from "../../test/storage/server/servers.ts";
import { newInstallation } from "../../test/support/installation.ts";
import { newSchool } from "../../test/support/school.ts";
import { newSqld } from "../../test/support/sqld.ts";

const rounds = Number(process.argv[2] ?? 30);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const folder = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const sqld = await newSqld();
let trips = 0;
const traffic = {
  onTrip(_: string, statements: readonly string[]) {
    // A node says every few seconds that it lives.
    if (!statements[0]?.startsWith('update "nodes"')) trips += 1;
  },
};
const places = {
  file: await newInstallation({ directory: join(folder, "file"), checked: false }),
  server: await newInstallation({
    directory: join(folder, "server"),
    env: await variablesFor(sqld, "bench-"),
    checked: false,
    traffic,
  }),
};
const used = new Map<string, { file: number[]; server: number[]; trips: number[] }>();
for (let round = -3; round < rounds; round += 1) {
  // Limits of sign-ins are by the hour.
  for (const { clock } of Object.values(places)) clock.advance(hours(1));
  for (const [store, installation] of Object.entries(places) as [keyof typeof places, typeof places.file][])
    for await (const { name, send } of commonRequests(await newSchool(installation))) {
      trips = 0;
      const before = process.cpuUsage();
      const { status } = await send();
      const { user, system } = process.cpuUsage(before);
      if (status !== 200 && status !== 201) throw new Error(`${name}: ${status}`);
      // The first rounds compile.
      if (round < 0) continue;
      const of = used.get(name) ?? { file: [], server: [], trips: [] };
      used.set(name, of);
      of[store].push((user + system) / 1000);
      if (store === "server") of.trips.push(trips);
    }
}

console.log(`Load average: ${loadavg().map((load) => load.toFixed(1))}; medians of ${rounds} rounds\n`);
console.log("| request | trips | file: processor, ms | server | ratio |\n| --- | --- | --- | --- | --- |");
for (const [name, { file, server, trips: made }] of used) {
  const [one, other] = [median(file), median(server)];
  console.log(`| ${name} | ${median(made)} | ${one.toFixed(1)} | ${other.toFixed(1)} | ${(other / one).toFixed(1)} |`);
}
for (const installation of Object.values(places)) await installation.close();
await sqld.close();
await rm(folder, { recursive: true, force: true });
process.exit();
