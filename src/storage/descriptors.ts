/** File descriptors: how many open tenants fit into the limit of the process, and whether another one can be opened. */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** An open tenant has two connections at most, with a `.db` and a `-wal` each, and one `-shm`. */
const perTenant = 5;

/** More open tenants would not be faster: they are the ones that were not used for the longest time. */
const mostOpen = 200;

/** The usual limit, for systems on which it can't be read. */
const usualLimit = 1024;

/** The shares of the limit for open tenants, and for closed ones: these keep their descriptors until garbage collection. */
const shareOfOpen = 3 / 8;
const shareOfClosed = 1 / 4;

export interface TenantLimits {
  /** The number of tenants that may be open at once. */
  maxOpen: number;
  /** The number of closed tenants that may wait for garbage collection. */
  maxClosed: number;
}

/** Returns how many tenants may be open. @param limit the number of descriptors that the process may have */
export const tenantLimits = (limit: number = usualLimit): TenantLimits => ({
  maxOpen: Math.min(mostOpen, tenantsIn(limit * shareOfOpen)),
  maxClosed: tenantsIn(limit * shareOfClosed),
});

const tenantsIn = (descriptors: number): number => Math.max(1, Math.floor(descriptors / perTenant));

/** The smallest limit with which `mostOpen` tenants may be open. */
export const comfortableLimit = Math.ceil((mostOpen * perTenant) / shareOfOpen);

/** Returns whether this process can get the descriptors of one more tenant now. SQLite does not tell why it can't open. */
export function hasFreeDescriptors(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length <= perTenant) opened.push(openSync(devNull, "r"));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE")) return false;
    throw error;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** The process or the machine has no descriptors left for another tenant. */
export class TooManyOpenFiles extends Error {
  override readonly name = "TooManyOpenFiles";

  constructor(cause: unknown) {
    super("Too many open files. Raise the limit of the server's process (ulimit -n).", { cause });
  }
}
