import type { RequestOptions } from "node:https";
import type { AddressPolicy } from "./addresses.ts";
import { Refused } from "./outcome.ts";
import type { Resolve } from "./resolve.ts";

/** What a socket asks for the address of a name. It is not asked when there is an address instead. */
export type Lookup = NonNullable<RequestOptions["lookup"]>;

/** Fails unless every address of the name may be dialled: one bad one among good ones is how a rebinding begins. */
export function vettedLookup(resolve: Resolve, policy: AddressPolicy): Lookup {
  const vetted = async (name: string) => {
    const addresses = await resolve(name).catch(() => []);
    if (addresses.length === 0) throw new Refused("dns");
    if (addresses.some((address) => policy(address) === "refused")) throw new Refused("refused_address");
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
