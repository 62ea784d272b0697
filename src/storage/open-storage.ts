import type { StoreSettings } from "./server/store-settings.ts";
import { openStorage, type Storage, type StorageOptions } from "./storage.ts";

/**
 * Opens the databases where the configuration says: in files, or on a libSQL server, whose code is loaded only then.
 *
 * @throws DataDirectoryLocked, WrongFile, or another error with a message for the operator
 */
export async function openStorageOn(server: StoreSettings | undefined, options: StorageOptions): Promise<Storage> {
  if (server === undefined) return openStorage(options);
  const { openServerStorage } = await import("./server/open-server-storage.ts");
  return openServerStorage(options, server);
}
