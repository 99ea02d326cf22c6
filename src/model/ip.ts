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

/** Text of an IP address: dotted for 4 bytes; for 16, hex groups with the longest run of zeros compressed. */
export function toIpText(bytes: Uint8Array): string {
  return bytes.length === 4 ? bytes.join('.') : toIpv6Text(toGroups(bytes))
}

/** The 4 or 16 bytes of an IP address; undefined if invalid. */
export function fromIpText(text: string): Uint8Array | undefined {
  const bytes = text.includes(':') ? readIpv6(text) : readIpv4(text)
  return bytes && Uint8Array.from(bytes)
}

/** Whether `text` is an IPv4 or IPv6 address. */
export const isIp = (text: unknown): text is string => typeof text === 'string' && fromIpText(text) !== undefined

function readIpv4(text: string): number[] | undefined {
  const parts = text.split('.')
  const isValid = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  return isValid ? parts.map(Number) : undefined
}

function readIpv6(text: string): number[] | undefined {
  const [head = '', tail, ...more] = text.split('::')
  const before = readGroups(head)
  const after = readGroups(tail ?? '')
  if (before === undefined || after === undefined || more.length > 0) return undefined
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...before, ...Array<number>(missing).fill(0), ...after]
  return groups.flatMap((group) => [group >> 8, group & 255])
}

/** Hex groups between colons; the last may be an IPv4 address, which counts as two. */
function readGroups(text: string): number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const last = parts.at(-1)?.includes('.') ? readIpv4(parts.pop() ?? '') : []
  if (last === undefined || !parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined
  return [...parts.map((part) => Number.parseInt(part, 16)), ...toGroups(last)]
}

function toGroups(bytes: ArrayLike<number>): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0))
}

function toIpv6Text(groups: readonly number[]): string {
  const isMappedIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMappedIpv4) {
    return `::ffff:${groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')}`
  }
  const { start, length } = longestZeros(groups)
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':')
  return length < 2 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let length = 0
  groups.forEach((group, at) => {
    length = group === 0 ? length + 1 : 0
    if (length > best.length) best = { start: at + 1 - length, length }
  })
  return best
}

/**
 * The host of a URL without its port: endpoints of one host may have one operator; the text itself where it is no URL.
 */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url)
