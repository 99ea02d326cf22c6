import { networkInterfaces } from 'node:os'
import type { ListenAddress } from './listen.js'

/**
 * Whether a page of this origin may use a server: pages from loopback (any port), from the host that it listens on and from its
 * `origins` may; all others, including the opaque origin `null`, may not.
 * Clients other than browsers send no origin and are allowed: the address that the server listens on restricts those.
 */
export function isAllowedOrigin(
  origin: string | undefined,
  { host, origins }: Pick<ListenAddress, 'host' | 'origins'>,
): boolean {
  if (origin === undefined || origins.includes(origin)) return true
  const name = hostnameOf(origin)
  return name !== undefined && isAllowedHostname(name, host)
}

/**
 * Whether a `Host` header is allowed. Prevents DNS rebinding: a page whose name resolves to a loopback address makes
 * same-origin requests, which pass the origin check, but they carry that name.
 */
export function isAllowedHostHeader(header: string | undefined, host: string): boolean {
  const name = header === undefined ? undefined : hostnameOf(`http://${header}`)
  return name !== undefined && isAllowedHostname(name, host)
}

function isAllowedHostname(name: string, host: string): boolean {
  return isLoopback(name) || name === bare(host) || (isWildcard(host) && isOwnAddress(name))
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? bare(new URL(url).hostname) : undefined
}

/** Removes the brackets of an IPv6 address. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').toLowerCase()

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)

const isWildcard = (host: string): boolean => host === '0.0.0.0' || bare(host) === '::'

const isOwnAddress = (name: string): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === name))
