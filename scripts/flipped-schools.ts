/** Schools in whose files bits are flipped, for `bit-flips.ts` and `unnoticed-flips.ts`. */
import { open, readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { newFolder } from "../test/runtime/processes.ts";
import type { Supervised } from "../test/runtime/supervised.ts";
import { newInstallation } from "../test/support/installation.ts";
import { newSchool, password, type School as TestSchool } from "../test/support/school.ts";

export interface Options {
  flips: number;
  seed: number;
  /** Schools whose files are damaged in one round, one bit each. */
  perRound?: number;
  onRound?: (flips: number) => void;
}

/** The options of a command line, `[flips] [seed]`, which shows how many were flipped. */
export function optionsFrom(usual: number): Options {
  const [flips = String(usual), seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
  return { flips: Number(flips), seed: Number(seed), onRound: (done) => void process.stderr.write(`${done} `) };
}

export interface School {
  id: string;
  email: string;
  path: string;
  good: Buffer;
  token: string;
}

/** What a school's people and the program read. */
export const lists = [
  ...["/people", "/aircraft", "/flights", "/audit-log", "/members"],
  ...["/integrations/api-keys", "/integrations/webhook-endpoints", "/integrations/events"],
];

/**
 * Makes schools with records of most kinds, in an installation that is closed then.
 *
 * @param also adds more records to a school
 */
export async function makeSchools(count: number, also: (school: TestSchool) => Promise<void> = async () => undefined) {
  const directory = join(await newFolder(), "data");
  const at = await newInstallation({ directory, checked: false });
  const made: Omit<School, "good">[] = [];
  for (let number = 0; number <= count; number += 1) {
    const school = await newSchool(at);
    await school.owner.post("/integrations/webhook-endpoints", {
      url: "https://hooks.example.com/windsock",
      event_types: ["flight.submitted", "flight.approved"],
    });
    for (let flight = 0; flight < 12; flight += 1) {
      const { id } = await school.submitFlight(school.student);
      if (flight % 2 === 0) await school.instructor.post(`/flights/${id}/approve`);
    }
    await school.apiKey("public.flights:read");
    await also(school);
    const { email } = school.owner;
    made.push({ id: school.orgId, email, path: join(directory, `${school.orgId}.db`), token: "" });
  }
  await at.close();
  const schools: School[] = [];
  for (const school of made) schools.push({ ...school, good: await readFile(school.path) });
  const healthy = schools.pop();
  if (healthy === undefined) throw new Error("There is no school.");
  return { directory, schools, healthy };
}

export const as = ({ token }: School): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

export async function signIn(server: Supervised, school: School): Promise<void> {
  if (school.token !== "") return;
  const body = JSON.stringify({ email: school.email, password });
  const headers = { "content-type": "application/json" };
  const answer = await server.ask("/auth/login", { method: "POST", headers, body });
  school.token = JSON.parse(answer?.text ?? "").access_token;
}

export const pageSize = 4096;

interface Flip {
  random: () => number;
  /** Whether the time of the file shows the change. */
  isNoted: boolean;
  /** Whether a place may be flipped. */
  fits?: (at: number) => boolean;
}

/** Flips one random bit behind the first page, in a byte that is not zero: most of a small file is unused. */
export async function flip({ path, good }: School, { random, isNoted, fits = () => true }: Flip): Promise<void> {
  const { mtime } = await stat(path);
  let at = 0;
  while (at === 0 || good[at] === 0 || !fits(at)) at = pageSize + Math.floor(random() * (good.length - pageSize));
  const file = await open(path, "r+");
  await file.write(Buffer.of((good[at] ?? 0) ^ (1 << Math.floor(random() * 8))), 0, 1, at);
  await file.close();
  if (!isNoted) await utimes(path, mtime, mtime);
}
