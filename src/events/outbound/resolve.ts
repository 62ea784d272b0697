/**
 * Resolves names that schools chose. `dns.lookup` calls the operating system and occupies one of the few threads that
 * password hashing and files also need, for as long as a name server does not respond. c-ares needs no thread. Search
 * domains are not tried: `db` does not become `db.example.com`.
 */
import { Resolver } from "node:dns/promises";
import { performance } from "node:perf_hooks";
import { seconds } from "../../core/clock.ts";
import { hostsFile, systemHostsFile } from "./hosts-file.ts";

/** Returns the addresses of a name, IPv4 and IPv6. Rejects when it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

interface ResolveOptions {
  /** Name servers as `address:port`. Default: the operating system's. */
  servers?: readonly string[];
  /** Returns the addresses of names that need no name server. Default: the hosts file. */
  hosts?: (name: string) => Promise<readonly string[]>;
  /** The longest duration of a lookup, in milliseconds. */
  deadline?: number;
}

/** The time for one response of a name server, and the number of tries. */
const queryOptions = { timeout: seconds(2), tries: 2 };

export function createResolve({ servers, hosts, deadline = seconds(5) }: ResolveOptions = {}): Resolve {
  const own = hosts ?? hostsFile(systemHostsFile, () => performance.now());
  return async (name) => {
    const normalized = name.toLowerCase().replace(/\.$/, "");
    const addresses = await own(normalized);
    if (addresses.length > 0) return addresses;
    // RFC 6761: these are not sent to name servers.
    if (normalized === "localhost" || normalized.endsWith(".localhost")) return ["127.0.0.1", "::1"];
    return query(normalized, { servers, deadline });
  };
}

/** Queries the name servers. Each lookup has its own resolver: it can be cancelled alone, and reads `resolv.conf` anew. */
async function query(
  name: string,
  { servers, deadline }: { servers: readonly string[] | undefined; deadline: number },
) {
  const resolver = new Resolver(queryOptions);
  if (servers !== undefined) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), deadline);
  try {
    // The final dot prevents search domains.
    const answers = await Promise.allSettled([resolver.resolve4(`${name}.`), resolver.resolve6(`${name}.`)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0) throw new Error("The name has no address.");
    return addresses;
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves names with this machine's hosts file and name servers. */
export const systemResolve: Resolve = createResolve();
