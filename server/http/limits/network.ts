import { isIPv6 } from 'node:net'

/**
 * Whom an address stands for: an IPv4 address for itself, an IPv6 one for its /64, which is what a single customer is
 * given and can walk through freely (RFC 6177). A connection that has closed has no address.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'closed'
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return address
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (embedded) return embedded
  const [head = '', tail] = bare.toLowerCase().split('::')
  const groups = groupsOf(head)
  if (tail !== undefined) {
    const after = groupsOf(tail)
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  const network = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}

function groupsOf(text: string): string[] {
  // A dotted end stands for two groups, both beyond the network.
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
