import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import process from "node:process";
import { seconds } from "../../core/clock.ts";

/** How long the file's content is kept. */
const maxAge = seconds(10);

/** The operating system's hosts file. */
export const systemHostsFile =
  process.platform === "win32"
    ? `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts";

/**
 * Returns a function that looks a name up in a hosts file, so that the operator's own names need no name server. A file
 * that can't be read contains no names. The name must be in lower case, without a final dot.
 *
 * @param stopwatch milliseconds since any fixed point
 */
export function hostsFile(path: string, stopwatch: () => number): (name: string) => Promise<readonly string[]> {
  let read: { at: number; names: Promise<ReadonlyMap<string, readonly string[]>> } | undefined;
  return async (name) => {
    const now = stopwatch();
    if (read === undefined || now - read.at >= maxAge) {
      read = { at: now, names: readFile(path, "utf8").then(parseHosts, () => new Map()) };
    }
    return (await read.names).get(name) ?? [];
  };
}

/** Parses lines of an address and its names. `#` starts a comment. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...named] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of named.map((text) => text.toLowerCase())) names.set(name, [...(names.get(name) ?? []), address]);
  }
  return names;
}
