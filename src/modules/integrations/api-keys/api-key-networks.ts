/** The networks from which an API key can be used: IPv4 and IPv6, in CIDR notation. */
import ipaddr from "ipaddr.js";

/**
 * Returns whether the text is a network in CIDR notation. Rejects IPv4 in other forms than four decimal parts, because
 * parsers disagree about them; an address inside a network (`10.0.0.1/8`), because it is probably a mistake; and
 * IPv4-mapped IPv6, because `isInNetworks` treats such a client as IPv4, so it would never match.
 */
export function isNetwork(text: string): boolean {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text))
    return ipaddr.IPv4.networkAddressFromCIDR(text).toString() === ipaddr.IPv4.parseCIDR(text)[0].toString();
  if (text.includes("%") || !ipaddr.IPv6.isValidCIDR(text)) return false;
  if (ipaddr.IPv6.parseCIDR(text)[0].isIPv4MappedAddress()) return false;
  return ipaddr.IPv6.networkAddressFromCIDR(text).toString() === ipaddr.IPv6.parseCIDR(text)[0].toString();
}

/** @param address of the client; `unknown` is in no network */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return networks.some((network) => {
    const [start, bits] = ipaddr.parseCIDR(network);
    return start.kind() === client.kind() && client.match(start, bits);
  });
}
