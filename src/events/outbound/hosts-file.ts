import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import process from "node:process";
import { seconds } from "../../core/clock.ts";

/** How long what was read counts. */
const fresh = seconds(10);

/** Where the operating system keeps names of its own. */
export const systemHostsFile =
  process.platform === "win32"
    ? `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts";

/**
 * Looks names up in a hosts file: the operator's own names work without a name server. A file that can't be read has
 * none.
 *
 * @param stopwatch milliseconds, from any beginning
 * @returns what finds a name's addresses, if it has any; the name in lower case, without a dot at its end
 */
export function hostsFile(path: string, stopwatch: () => number): (name: string) => Promise<readonly string[]> {
  let read: { at: number; names: Promise<ReadonlyMap<string, readonly string[]>> } | undefined;
  return async (name) => {
    const now = stopwatch();
    if (read === undefined || now - read.at >= fresh) {
      read = { at: now, names: readFile(path, "utf8").then(parseHosts, () => new Map()) };
    }
    return (await read.names).get(name) ?? [];
  };
}

/** Lines of an address and its names; from `#` on a line is a comment. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...named] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of named.map((one) => one.toLowerCase())) names.set(name, [...(names.get(name) ?? []), address]);
  }
  return names;
}
