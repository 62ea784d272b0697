import { lookup } from "node:dns/promises";

/** The addresses of a name, IPv4 and IPv6. Rejects when it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** As the operating system resolves names, its hosts file included. */
export const systemResolve: Resolve = async (name) => {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
};
