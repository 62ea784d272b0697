import { type Clock, hasPassed, type Instant, minutes, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import { messageOf } from "../core/system-error.ts";
import { fileNote } from "./check/file-note.ts";
import type { UnusableTenant } from "./check/tenant-checks.ts";
import { TooManyOpenFiles } from "./descriptors.ts";
import { isLocked } from "./sqlite-error.ts";
import type { StorageLog } from "./storage-log.ts";
import { tenantPath } from "./tenant-file.ts";

interface Failure {
  reason: string;
  isTemporary: boolean;
  /** The `.db` file when it failed. Another file under its name has not failed. */
  note: string | undefined;
  since: Instant;
  at: number;
  loggedAt: number;
  /** A later use succeeded. The next failure may still be the same one: half of a damaged file works. */
  isOver: boolean;
}

interface Options {
  directory: string;
  clock: Clock;
  log: StorageLog;
}

/** Temporary errors, such as a lock. The file can stay open. */
export const isTemporaryError = (cause: unknown): boolean => cause instanceof TooManyOpenFiles || isLocked(cause);

/** For the log, and for the time that a temporary error counts. */
const interval = minutes(1);

/** The tenants whose last use failed: what the log, the metrics and the list of unusable tenants say of them. */
export class TenantFailures {
  readonly #options: Options;
  readonly #failures = new Map<OrgId, Failure>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Logs the cause once until it or the file changes, and then a short line at most once a minute.
   *
   * @param isLogged the log has the cause already
   */
  record(id: OrgId, cause: unknown, message: string, isLogged = false): void {
    const { clock, log } = this.#options;
    const now = clock.now();
    const hasPassedSince = (since: number) => hasPassed(interval, { since, now });
    const reason = messageOf(cause);
    const file = this.#path(id);
    const note = noteOf(file);
    const known = this.#failures.get(id);
    const isSame = known?.reason === reason && known.note === note && !(known.isOver && hasPassedSince(known.at));
    if (known === undefined || !isSame) {
      const times = { since: toInstant(now), at: now.getTime(), loggedAt: now.getTime() };
      this.#failures.set(id, { reason, isTemporary: isTemporaryError(cause), note, ...times, isOver: false });
      if (!isLogged) log.error({ organization_id: id, file, err: cause }, message);
      return;
    }
    known.at = now.getTime();
    known.isOver = false;
    if (!hasPassedSince(known.loggedAt)) return;
    known.loggedAt = now.getTime();
    log.error({ organization_id: id }, "A tenant still can't be used. An earlier line has the reason.");
  }

  /** The tenant could be used. */
  clear(id: OrgId): void {
    const known = this.#failures.get(id);
    if (known !== undefined) known.isOver = true;
  }

  /** The tenants whose files can't be used, until the files change. */
  unusable(): UnusableTenant[] {
    return this.#present(({ isTemporary }) => !isTemporary).map(([orgId, { since, reason }]) => ({
      orgId,
      since,
      faults: reason.split("\n"),
    }));
  }

  /** The tenants that can't be used, also for a temporary reason in the last minute. */
  unavailable(): OrgId[] {
    const now = this.#options.clock.now();
    return this.#present(({ isTemporary, at }) => !(isTemporary && hasPassed(interval, { since: at, now }))).map(
      ([id]) => id,
    );
  }

  #present(isWanted: (failure: Failure) => boolean): [OrgId, Failure][] {
    return [...this.#failures].filter(
      ([id, failure]) => !failure.isOver && isWanted(failure) && noteOf(this.#path(id)) === failure.note,
    );
  }

  #path(id: OrgId): string {
    return tenantPath(this.#options.directory, id);
  }
}

/** The note of the `.db` file alone: the `-wal` file changes with each write. */
const noteOf = (path: string): string | undefined => fileNote(path)?.split(",")[0];
