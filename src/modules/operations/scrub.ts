import { days, hasPassed, minutes } from "../../core/clock.ts";
import type { JobServices, JobSettings } from "../../module.ts";
import { counted, type JobDefinition, noTenantWork } from "../../scheduler/job.ts";
import { damagedDatabases, dueScrubs, type Scrub, scrubbedDatabases, storeScrub } from "../../storage/scrubs.ts";

/** Each database is read once in this time: a backup that is older than a fault must still exist. */
const interval = days(28);

/** Milliseconds that a night's run may take. The next one goes on where it ended. */
const mostTime = minutes(60);

type Services = Pick<JobServices, "control" | "clock" | "inspection" | "log" | "pause" | "stopping" | "tenants">;

/**
 * Reads every database completely once a month, a piece at a time, in another process with the lowest priority. So a bit that
 * a disk has lost is found while there is a backup with it, and not when the record is needed.
 */
export const scrub: JobDefinition<Services, JobSettings> = {
  name: "scrub",
  schedule: "35 41 1 * * *",
  description: "Reads every database and every stored file once a month, at most an hour a night, and reports damage.",
  due: noTenantWork,
  async run(services, now, { onProgress } = {}) {
    const { control, clock, log, stopping } = services;
    const due = await dueScrubs(control, { interval, now });
    if (due.length === 0) return (await faultyDatabases(services)).size > 0 ? "waiting" : "nothing_due";
    const mayGoOn = () => !stopping.aborted && !hasPassed(mostTime, { since: now, now: clock.now() });
    let [done, damaged, failed] = [0, 0, 0];
    for (const one of due) {
      onProgress?.({ done: done + failed, total: due.length });
      if (!mayGoOn()) break;
      try {
        const { found, isDone } = await scrubOne(services, one, mayGoOn);
        damaged += found;
        if (isDone) done += 1;
      } catch (err) {
        if (stopping.aborted) break; // which ends the process that reads
        log.error({ database: one.database, err }, "A database could not be scrubbed. The next night tries again.");
        failed += 1;
      }
    }
    // A good file says nothing about another one.
    const faulty = stopping.aborted ? 0 : (await faultyDatabases(services)).size;
    const left = due.length - done - failed;
    const parts = [
      `Read ${counted(done, "database")}.`,
      left > 0 ? ` ${left} are left for the next nights.` : "",
      failed > 0 ? ` ${failed} could not be read.` : "",
      damaged > 0 ? ` Found ${counted(damaged, "fault")}: see the log, or run \`windsock check\`.` : "",
      damaged === 0 && faulty > 0
        ? ` ${counted(faulty, "database")} ${faulty === 1 ? "is" : "are"} damaged or can't be used: \`windsock doctor\` and \`windsock check\` say which.`
        : "",
    ];
    return { summary: parts.join(""), failed: failed + damaged + faulty > 0 };
  },
};

/** Those in which the last scrub found damage, and those that are not opened. */
async function faultyDatabases({ control, tenants }: Pick<Services, "control" | "tenants">): Promise<Set<string>> {
  const { known, faulty } = await control.read(async (reader) => ({
    known: new Set(await scrubbedDatabases(reader)),
    faulty: await damagedDatabases(reader),
  }));
  const unusable = tenants.unusable().flatMap(({ orgId }) => (known.has(orgId) ? [orgId] : []));
  return new Set([...faulty, ...unusable]);
}

async function scrubOne(
  { control, clock, inspection, log, pause }: Services,
  { database, scrubbed_at, scrub_place, ...before }: Scrub,
  mayGoOn: () => boolean,
): Promise<{ found: number; isDone: boolean }> {
  let place = scrub_place;
  let found = 0;
  const earlier = place === null ? 0 : before.scrub_damaged;
  do {
    await pause();
    const { next, faults } = await inspection.scrub(database, place);
    if (faults.length > 0) log.error({ database, faults }, "A database is damaged.");
    found += faults.length;
    place = next;
    const at =
      place === null ? { scrubbed_at: clock.now().toISOString() as NonNullable<typeof scrubbed_at> } : { scrubbed_at };
    await storeScrub(control, { database, ...at, scrub_place: place, scrub_damaged: earlier + found });
  } while (place !== null && mayGoOn());
  return { found, isDone: place === null };
}
