import type { DataLock } from "./data-lock.ts";
import type { StorageLog } from "./storage-log.ts";

interface GuardOptions {
  lock: DataLock;
  control: { readonly isInPlace: boolean };
  /** The path of the control database. */
  path: string;
  log: StorageLog;
}

/** Notices that `lock.db` or `control.db` was removed or replaced under the running server. Logs each once. */
export function createDirectoryGuard({ lock, control, path, log }: GuardOptions) {
  const logged = new Set<string>();
  const error = (message: string, err?: unknown) => {
    if (!logged.has(message)) log.error({ file: path, err }, message);
    logged.add(message);
  };
  return {
    async check(): Promise<void> {
      if (!control.isInPlace)
        error(
          "control.db was removed or replaced while the server runs, so nothing is written. If its directory comes back as it was, the server goes on by itself; otherwise, put the right one in place and restart the server.",
        );
      await lock.renew().catch((err: unknown) => error("lock.db was removed and can't be locked again.", err));
    },
  };
}
