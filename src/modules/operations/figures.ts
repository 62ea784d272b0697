/** What takes longer to read than a request should: read once for `/metrics` and for the operator's page, and kept for some time. */
import { type Clock, minutes, seconds } from "../../core/clock.ts";
import type { Finding } from "../../core/finding.ts";
import type { FileSizes } from "../../storage/file-sizes.ts";
import type { ScrubStats } from "../../storage/scrubs.ts";
import { Latest } from "./latest.ts";
import type { NewestBackup } from "./newest-backup.ts";

export interface FigureSources {
  clock: Clock;
  scrubs: () => Promise<ScrubStats>;
  newestBackup: NewestBackup;
  /** Whether the last run of a job failed, by its name. */
  failedJobs: () => Promise<ReadonlyMap<string, boolean>>;
  files: () => Promise<FileSizes>;
  /** How many schools are suspended. */
  suspended: () => Promise<number>;
  /** Whether another process waits for the data. */
  standby: () => Promise<boolean>;
  /** The file descriptors of the process; `undefined` where the system does not tell. */
  descriptors: { open(): Promise<number | undefined>; limit(): Promise<number | undefined> };
  /** Looks whether the server and its data are as they should be. */
  examine(): Promise<readonly Finding[]>;
}

export type Figures = ReturnType<typeof createFigures>;

export function createFigures({ clock, descriptors, ...sources }: FigureSources) {
  const limit = descriptors.limit();
  return {
    openFiles: new Latest(clock, descriptors.open),
    mostFiles: new Latest(clock, () => limit),
    scrubs: new Latest(clock, sources.scrubs),
    newestBackup: new Latest(clock, sources.newestBackup),
    failedJobs: new Latest(clock, sources.failedJobs),
    suspended: new Latest(clock, sources.suspended),
    standby: new Latest(clock, sources.standby),
    files: new Latest(clock, sources.files, minutes(5)),
    // It signs in to the mail server, and asks for the public address.
    findings: new Latest(clock, sources.examine, seconds(30)),
  };
}
