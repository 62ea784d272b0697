/**
 * Whose address counts. Rate limits hang on it, so `X-Forwarded-For`, which anybody can write, is believed only as far
 * as proxies the operator has named vouch for it.
 */
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * @param trustedProxies CIDR ranges
 * @returns the client's address from the peer's and the forwarded header: the last one not itself a trusted proxy
 */
export function clientAddress(trustedProxies: readonly string[]) {
  const ranges = trustedProxies.map((range): Range => ipaddr.parseCIDR(range));
  const trusted = (address: Address) => ranges.some((range) => within(address, range));
  // The same few peers ask again and again, and an address takes longer to parse than a row to look up.
  const peers = new LRUCache<string, { address: Address | undefined }>({
    max: 1000,
    memoMethod: (peer) => ({ address: parse(peer) }),
  });

  return (peer: string | undefined, forwardedFor: string | null): string => {
    const from = peer === undefined ? undefined : peers.memo(peer).address;
    if (!from) return "unknown";
    let client = from;
    if (forwardedFor !== null && trusted(client))
      // Each proxy appends the address it saw, so the rightmost was written by the one nearest to us.
      for (const text of forwardedFor.split(",").reverse()) {
        const address = parse(text.trim());
        // What is left of garbage was written by whoever wrote the garbage.
        if (!address) break;
        client = address;
        if (!trusted(address)) break;
      }
    return client.toString();
  };
}

/** IPv4 inside IPv6 (`::ffff:192.0.2.1`, what a dual-stack socket reports) counts as the IPv4 address it is. */
function parse(text: string): Address | undefined {
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  // `process` would also take "1" or "0x7f.1" for an address.
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined;
  return ipaddr.process(bare);
}

function within(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
