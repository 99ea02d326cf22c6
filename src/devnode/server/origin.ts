import { networkInterfaces } from 'node:os'

/**
 * Whether a page of this origin may speak to a server that listens on `host`: pages from loopback (any port) and from that
 * very host may; every other page of the web, and one that hides where it comes from, may not.
 * A client that is no browser sends no origin and is let in: the address that the server listens on keeps strangers out.
 */
export function isAllowedOrigin(origin: string | undefined, host: string): boolean {
  if (origin === undefined) return true
  const name = hostnameOf(origin)
  return name !== undefined && isAllowedHostname(name, host)
}

/**
 * Whether a request may name the server so. A page of another site whose name was bent to a loopback address gets past the
 * check of origins by asking its "own" server, but it cannot hide that name.
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

/** An IPv6 address without its brackets, anything else as it is. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').toLowerCase()

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)

const isWildcard = (host: string): boolean => host === '0.0.0.0' || bare(host) === '::'

const isOwnAddress = (name: string): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === name))
