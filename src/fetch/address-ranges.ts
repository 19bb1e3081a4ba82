/** Which addresses are globally routable unicast addresses. */
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network and the number of its leading bits. */
export type AddressRange = [Address, number];

/** IPv4 blocks that are not public hosts (IANA special-purpose registry, multicast, reserved, one cloud's own). */
const specialIPv4 = ranges([
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by carriers
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's services for the machine that asks
  "169.254.0.0/16", // link-local, with the metadata services of clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // former 6to4 relays
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, with the broadcast address
]);

/** The only IPv6 block from which public unicast addresses are given out … */
const globalIPv6 = ranges(["2000::/3"]);

/** … and the parts of it that are something else. */
const specialIPv6 = ranges([
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID …
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address in disguise
  "3fff::/20", // documentation
]);

/** IPv6 forms of the IPv4 address in their last 32 bits: mapped, and translated by a public NAT64. */
const embeddingIPv6 = ranges(["::ffff:0:0/96", "64:ff9b::/96"]);

function ranges(list: readonly string[]): AddressRange[] {
  return list.map((range) => ipaddr.parseCIDR(range));
}

/** True if one of the ranges contains the address. */
export function isIn(address: Address, list: readonly AddressRange[]): boolean {
  return list.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

/** Reads an address; an IPv6 form that only carries an IPv4 address becomes that address. */
export function parseAddress(text: string): Address | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  return isIn(address, embeddingIPv6) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** Reads `10.0.0.0/8`, or a single address as the range that holds nothing else. */
export function parseRange(text: string): AddressRange | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = parseAddress(text);
  return address && [address, address.kind() === "ipv4" ? 32 : 128];
}

/** True for an address that every host on the internet reaches in the same way. */
export function isGlobalUnicast(address: Address): boolean {
  return address.kind() === "ipv4"
    ? !isIn(address, specialIPv4)
    : isIn(address, globalIPv6) && !isIn(address, specialIPv6);
}
