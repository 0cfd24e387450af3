import ipaddr from 'ipaddr.js'

/**
 * What an address is counted as: an IPv4 address as itself, an IPv6 address as its /64, because one customer gets a whole
 * /64 (RFC 6177). Sockets that are already closed have no address and count as one client.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return address ?? 'closed'
  const ip = ipaddr.process(address)
  if (!(ip instanceof ipaddr.IPv6)) return ip.toString()
  const network = ip.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
