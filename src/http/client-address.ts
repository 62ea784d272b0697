/**
 * Determines the client's address. Rate limits depend on it, and any client can send `X-Forwarded-For`, so only entries
 * that the operator's trusted proxies wrote are used.
 */
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * @param trustedProxies CIDR ranges
 * @returns a function that takes the peer's address and the header, and returns the last address that is not a trusted proxy
 */
export function clientAddress(trustedProxies: readonly string[]) {
  const trusted = inRanges(trustedProxies);
  // Cached: parsing an address takes longer than looking up a row, and a few peers send most requests.
  const peers = new LRUCache<string, { address: Address | undefined }>({
    max: 1000,
    memoMethod: (peer) => ({ address: parse(peer) }),
  });

  return (peer: string | undefined, forwardedFor: string | null): string => {
    const from = peer === undefined ? undefined : peers.memo(peer).address;
    if (!from) return "unknown";
    let client = from;
    if (forwardedFor !== null && trusted(client))
      // Each proxy appends the address of its peer, so the rightmost entry is from the nearest proxy.
      for (const text of forwardedFor.split(",").reverse()) {
        const address = parse(text.trim());
        // Entries to the left of an invalid one are not trusted either.
        if (!address) break;
        client = address;
        if (!trusted(address)) break;
      }
    return client.toString();
  };
}

/** Returns whether a peer is one of the trusted proxies. */
export function isTrustedProxy(trustedProxies: readonly string[]): (peer: string | undefined) => boolean {
  const trusted = inRanges(trustedProxies);
  return (peer) => {
    const address = peer === undefined ? undefined : parse(peer);
    return address !== undefined && trusted(address);
  };
}

function inRanges(cidrs: readonly string[]): (address: Address) => boolean {
  const ranges = cidrs.map((range): Range => ipaddr.parseCIDR(range));
  return (address) => ranges.some((range) => within(address, range));
}

/** Parses an address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, from a dual-stack socket) becomes IPv4. */
function parse(text: string): Address | undefined {
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  // `process` also accepts "1" or "0x7f.1" as an address.
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined;
  return ipaddr.process(bare);
}

function within(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Returns the /64 of an IPv6 address, since a subscriber has at least that many; otherwise the address. */
export function networkOf({ address }: { readonly address: string }): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}
