import type { RequestOptions } from "node:https";
import type { AddressPolicy } from "./addresses.ts";
import { LookupError } from "./outcome.ts";
import type { Resolve } from "./resolve.ts";

/** Looks up the addresses of a name for a socket. Node does not call it for a host that is an address. */
export type Lookup = NonNullable<RequestOptions["lookup"]>;

/** Fails unless the policy allows every address of the name: one refused address among others can be a DNS rebinding. */
export function vettedLookup(resolve: Resolve, policy: AddressPolicy): Lookup {
  const vetted = async (name: string) => {
    const addresses = await resolve(name).catch(() => []);
    if (addresses.length === 0) throw new LookupError("dns");
    if (addresses.some((address) => policy(address) === "refused")) throw new LookupError("refused_address");
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return (name, { all }, callback) => {
    vetted(name).then(
      (addresses) => {
        const [first] = addresses;
        if (all) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, [], 0),
    );
  };
}
