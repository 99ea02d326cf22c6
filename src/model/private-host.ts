import { isIp } from './ip.js'

/** Whether a URL's hostname is this machine: a loopback address, or a name below `localhost`. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bare(hostname)
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.[\d.]+$/.test(host)
}

/**
 * Whether a URL's hostname lies outside of the public internet: loopback, private, link-local, shared, multicast and
 * reserved addresses (IPv4 also within IPv6), single-label names, and names of local domains. A URL parser has
 * normalised the address.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = bare(hostname)
  if (isLoopbackHost(host)) return true
  if (host.includes(':')) return !/^[23]/.test(host) || /^(?:2002|2001:0?:|2001:db8):/.test(host)
  const isAddress: boolean = isIp(host)
  if (isAddress) return isPrivateV4(host.split('.').map(Number))
  return !host.includes('.') || LOCAL_DOMAINS.some((domain) => host.endsWith(domain))
}

const LOCAL_DOMAINS = ['.local', '.internal', '.lan', '.home', '.home.arpa', '.intranet', '.corp']

/** RFC 6890: the special-purpose blocks. */
function isPrivateV4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true
  if (a === 100) return b >= 64 && b < 128
  if (a === 169) return b === 254
  if (a === 172) return b >= 16 && b < 32
  if (a === 192) return b === 168 || (b === 0 && (c === 0 || c === 2))
  if (a === 198) return b === 18 || b === 19 || (b === 51 && c === 100)
  return a === 203 && b === 0 && c === 113
}

/** Lower case, without the brackets of an IPv6 address and without the final dot of a name. */
function bare(hostname: string): string {
  const host = hostname.toLowerCase()
  if (host.startsWith('[')) return host.slice(1, -1)
  return host.endsWith('.') ? host.slice(0, -1) : host
}
