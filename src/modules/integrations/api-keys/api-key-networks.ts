/** Where an API key may be used from: networks in CIDR notation, IPv4 and IPv6. */
import ipaddr from "ipaddr.js";

/** Whether it names a network. IPv4 in four decimal parts alone: other spellings mean different things to different readers. */
export const isNetwork = (text: string): boolean =>
  ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || (!text.includes("%") && ipaddr.IPv6.isValidCIDR(text));

/** @param address of a client; one that is not known (`unknown`) lies in no network */
export function liesIn(networks: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return networks.some((network) => {
    const [start, bits] = ipaddr.parseCIDR(network);
    return start.kind() === client.kind() && client.match(start, bits);
  });
}
