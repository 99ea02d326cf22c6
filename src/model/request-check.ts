import { isLoopbackHost } from './ip.js'

/** The head of an HTTP request, as Node has it. */
export interface RequestHead {
  readonly method?: string | undefined
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** What a server accepts. */
export interface RequestRules {
  /** The methods that it serves, such as `['GET', 'HEAD']`. @default any */
  readonly methods?: readonly string[] | undefined
  /** The address that the server listens on. `Host` and `Origin` may name it, or loopback. */
  readonly host: string
  /** Further origins of browsers: `https://example.com`. @default none */
  readonly origins?: readonly string[] | undefined
  /** Whether `Host` may name any server: behind a proxy, or in a network with names of its own. @default false */
  readonly anyHost?: boolean | undefined
  /** The addresses of this machine, for a server that listens on all of them. @default none */
  readonly ownAddresses?: (() => readonly string[]) | undefined
  /** The media type that a request other than GET and HEAD must have, such as `application/json`. @default any */
  readonly contentType?: string | undefined
  /** The token that `Authorization: Bearer …` must have. @default none */
  readonly token?: string | undefined
}

/** Why a request is refused. */
export interface RequestRefusal {
  /** 401, 403, 405 or 415. */
  readonly status: number
  /** One sentence, for the client. */
  readonly reason: string
}

/**
 * Why a server should refuse a request before it reads the body; undefined where it should not.
 *
 * `Origin` keeps out pages of other sites; clients other than browsers send none. `Host` prevents DNS rebinding: a page
 * whose name resolves to a loopback address makes same-origin requests, but they carry that name. `contentType` makes
 * browsers send a preflight request first: without it any page may post `text/plain`.
 */
export function requestRefusal(
  { method = 'GET', headers }: RequestHead,
  rules: RequestRules,
): RequestRefusal | undefined {
  const { host, anyHost = false, methods, contentType, token } = rules
  const text = (name: string): string | undefined => headers[name]?.toString()
  const hostname = hostnameOf(`http://${text('host') ?? ''}`)
  const isHostAllowed = anyHost || (hostname !== undefined && isOwnName(hostname, rules))
  if (!isHostAllowed) return { status: 403, reason: `This server is reached as ${host} or by a name of loopback only` }
  if (!isOriginAllowed(text('origin'), rules)) {
    return { status: 403, reason: 'Pages of this origin may not use this server' }
  }
  if (token !== undefined && !isEqualText(text('authorization') ?? '', `Bearer ${token}`)) {
    return { status: 401, reason: 'Authorization: Bearer with the token of this server is required' }
  }
  if (methods?.includes(method) === false)
    return { status: 405, reason: `This server takes ${methods.join(', ')} only` }
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  if (isRead || contentType === undefined || mediaTypeOf(text('content-type')) === contentType) return undefined
  return { status: 415, reason: `Content-Type must be ${contentType}` }
}

/** Pages from loopback (any port), from the host and from `origins`; not the opaque origin `null`. */
function isOriginAllowed(origin: string | undefined, rules: RequestRules): boolean {
  if (origin === undefined || rules.origins?.includes(origin) === true) return true
  const name = hostnameOf(origin)
  return name !== undefined && isOwnName(name, rules)
}

function isOwnName(name: string, { host, ownAddresses = () => [] }: RequestRules): boolean {
  const isWildcard = host === '0.0.0.0' || bare(host) === '::'
  return isLoopbackHost(name) || name === bare(host) || (isWildcard && ownAddresses().includes(name))
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) && !/[/?#@\\]/.test(url.replace(/^[a-z][a-z\d+.-]*:\/\//i, ''))
    ? bare(new URL(url).hostname)
    : undefined
}

/** Without the brackets of an IPv6 address. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').toLowerCase()

const mediaTypeOf = (contentType = ''): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()

/** Whether a text is the expected one. Compares every character, so that the time does not say how many are right. */
export function isEqualText(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let at = 0; at < expected.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  return difference === 0
}
