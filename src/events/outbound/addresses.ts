/** Decides which addresses Windsock connects to for a school: public unicast addresses, and the operator's exceptions. */
import ipaddr from "ipaddr.js";

/** `public`: on the Internet. `allowed`: an exception by the operator; its responses are not shown. `refused`: neither. */
export type AddressClass = "public" | "allowed" | "refused";

/** Classifies an address. A text that is not an address in canonical notation is refused. */
export type AddressPolicy = (address: string) => AddressClass;

/**
 * ipaddr.js knows IANA's special-purpose registries: of its ranges only `unicast` is public. In addition, IPv6 is public
 * only inside 2000::/3, the one block IANA allocates from (RFC 4291). Addresses that embed an IPv4 address are outside it
 * (NAT64, IPv4-mapped, IPv4-compatible), or have a range of their own (6to4, Teredo).
 */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/**
 * Public by range, but inside Azure the host of each machine, which serves credentials. Metadata services of other clouds
 * are link-local, unique local, carrier-grade NAT or reserved.
 */
const cloudHosts = [ipaddr.parseCIDR("168.63.129.16/32")];

/** Creates a policy. @param allow CIDRs of the operator's exceptions. @throws when one is not a CIDR */
export function addressPolicy(allow: readonly string[]): AddressPolicy {
  const exceptions = allow.map((cidr) => ipaddr.parseCIDR(cidr));
  return (text) => {
    const address = parse(text);
    if (address === undefined) return "refused";
    if (exceptions.some((range) => contains(range, address))) return "allowed";
    if (address.range() !== "unicast" || cloudHosts.some((range) => contains(range, address))) return "refused";
    return address.kind() === "ipv4" || contains(globalUnicast, address) ? "public" : "refused";
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses four decimal parts or IPv6. `URL` converts other notations of IPv4 (octal, hex, fewer parts) before. */
function parse(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // A zone (`fe80::1%eth0`) names an interface of this machine.
  return text.includes("%") || !ipaddr.IPv6.isValid(text) ? undefined : ipaddr.IPv6.parse(text);
}

const contains = ([network, bits]: [Address, number], address: Address): boolean =>
  network.kind() === address.kind() && address.match(network, bits);

/** Returns the address in a URL's host, without the brackets of IPv6; undefined when the host is a name. */
export function literalOf(host: string): string | undefined {
  if (host.startsWith("[")) return host.slice(1, -1);
  return ipaddr.IPv4.isValidFourPartDecimal(host) ? host : undefined;
}
