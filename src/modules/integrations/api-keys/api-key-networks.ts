/** Where an API key may be used from: networks in CIDR notation, IPv4 and IPv6. */
import ipaddr from "ipaddr.js";

/**
 * Whether it names a network. IPv4 in four decimal parts alone: other spellings mean different things to different readers.
 * Nor an address within a network: `10.0.0.1/8` was hardly meant to be all of 10.0.0.0/8. Nor IPv4 written as IPv6: an
 * IPv4 client is one whichever way it came, and would lie in no such network.
 */
export function isNetwork(text: string): boolean {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text))
    return ipaddr.IPv4.networkAddressFromCIDR(text).toString() === ipaddr.IPv4.parseCIDR(text)[0].toString();
  if (text.includes("%") || !ipaddr.IPv6.isValidCIDR(text)) return false;
  if (ipaddr.IPv6.parseCIDR(text)[0].isIPv4MappedAddress()) return false;
  return ipaddr.IPv6.networkAddressFromCIDR(text).toString() === ipaddr.IPv6.parseCIDR(text)[0].toString();
}

/** @param address of a client; one that is not known (`unknown`) lies in no network */
export function liesIn(networks: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return networks.some((network) => {
    const [start, bits] = ipaddr.parseCIDR(network);
    return start.kind() === client.kind() && client.match(start, bits);
  });
}
