/** What works on files: on a server, it says so, or does what can be done there. */
import { Problem } from "../../core/errors.ts";
import { type Backups, createBackups } from "../backup/backups.ts";

/** @param instead what the operator can do */
export const notOnServer = (instead: string) =>
  new Problem(
    "UNAVAILABLE",
    `The records are on a libSQL server (WINDSOCK_STORE=server): there is no file of them here. ${instead}`,
  );

/** As of files, from dumps of the namespaces. A whole backup is restored by `fill-server.ts`. */
export const backupsOnServer = (options: Parameters<typeof createBackups>[0]): Backups => ({
  ...createBackups(options),
  restoreSchool: async () => {
    throw notOnServer(restoreIntoFiles);
  },
});

/** What an operator can do with one school of a backup. */
const restoreIntoFiles =
  "Restore the backup with WINDSOCK_STORE=file into a data directory of its own, delete the school here, and move it from there: windsock org delete, windsock org move.";
