/**
 * The addresses of names that strangers chose. `dns.lookup` would ask the operating system, and hold one of the few
 * threads that password hashing and files need as well, for as long as a stranger's name server keeps silent; so names
 * are asked for by c-ares, which needs no thread. Search domains are not tried: `db` is not `db.example.com`.
 */
import { Resolver } from "node:dns/promises";
import { performance } from "node:perf_hooks";
import { seconds } from "../../core/clock.ts";
import { hostsFile, systemHostsFile } from "./hosts-file.ts";

/** The addresses of a name, IPv4 and IPv6. Rejects when it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

interface ResolveOptions {
  /** Name servers as `address:port`; by default the operating system's. */
  servers?: readonly string[];
  /** The addresses of names that no name server is asked for. */
  hosts?: (name: string) => Promise<readonly string[]>;
  /** The longest a look-up can take, in milliseconds. */
  deadline?: number;
}

/** What a name server has for an answer, and how often it is asked. */
const query = { timeout: seconds(2), tries: 2 };

export function createResolve({ servers, hosts, deadline = seconds(5) }: ResolveOptions = {}): Resolve {
  const own = hosts ?? hostsFile(systemHostsFile, () => performance.now());
  return async (name) => {
    const plain = name.toLowerCase().replace(/\.$/, "");
    const known = await own(plain);
    if (known.length > 0) return known;
    // RFC 6761: no name server is asked for these.
    if (plain === "localhost" || plain.endsWith(".localhost")) return ["127.0.0.1", "::1"];
    return ask(plain, { servers, deadline });
  };
}

/** A resolver for each look-up: one can be ended without the others, and it knows what `resolv.conf` says by now. */
async function ask(name: string, { servers, deadline }: { servers: readonly string[] | undefined; deadline: number }) {
  const resolver = new Resolver(query);
  if (servers !== undefined) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), deadline);
  try {
    // The dot says that the name is whole.
    const answers = await Promise.allSettled([resolver.resolve4(`${name}.`), resolver.resolve6(`${name}.`)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0) throw new Error("The name has no address.");
    return addresses;
  } finally {
    clearTimeout(timer);
  }
}

/** As this machine resolves names, its hosts file included. */
export const systemResolve: Resolve = createResolve();
