/** Stands for a credential in every error, log, state and record. */
export const REDACTED = '***'

/** Names of query parameters whose values are credentials. */
const SECRET_NAME = /token|key|secret|auth|pass|pwd|sig|cred|session|jwt|bearer/i

/**
 * A text without the credentials of the URLs in it: user and password before a host, with or without a scheme; the
 * values of query parameters whose names suggest one, in WebSocket URLs of all; and path segments that look like a key:
 * 16 or more of `[A-Za-z0-9_-]`, with a letter and a digit. This library completes http URLs by ids and hashes: there a
 * segment of 64 hexadecimal digits stays, unless it is in `configured`, a base URL as the caller passed it. Linear in
 * the length of the text; a redacted text stays the same.
 */
export function redact(text: string, configured = ''): string {
  const known = keysOf(configured).reduce((rest, key) => rest.replaceAll(key, REDACTED), text)
  if (!/@|=|:\/\//.test(known)) return known
  const parts = partsOf(known)
  const redacted = parts.map((part, at) => (at === 0 ? redactUsers(part) : redactUrl(part, parts[at - 1] ?? '')))
  const settings = redacted.join('://').replace(SETTING, (_, name: string, value: string) => name + masked(value))
  return redactParameters(settings, (name) => SECRET_NAME.test(name))
}

/**
 * The text in front of the first URL, then each URL without its scheme with what follows it. A `://` within a password
 * begins no URL: the text before it is no host, or it ends in no scheme and a user follows.
 */
function partsOf(text: string): readonly string[] {
  const [first = '', ...pieces] = text.split('://')
  const parts = [first]
  const lastUser = pieces.map((piece) => piece.includes('@')).lastIndexOf(true)
  let isOpen = lastUser >= 0 && first.includes(':') && !SCHEME_END.test(first.slice(-LONGEST_SCHEME))
  for (const [at, piece] of pieces.entries()) {
    if (isOpen) parts.push(`${parts.pop() ?? ''}://${piece}`)
    else parts.push(piece)
    isOpen =
      at < lastUser && (piece.includes('@') ? !SCHEME_END.test(piece.slice(-LONGEST_SCHEME)) : isOpen || !isHost(piece))
  }
  return parts
}

/** The end of a text that a `://` makes a URL: a known scheme, or any behind a blank. */
const SCHEME_END =
  /(?:^|[^a-z\d+.-])(?:https?|wss?|nats|tls|postgres(?:ql)?|file|data)$|(?:^|[ \t\r\n])[a-z][a-z\d+.-]{0,15}$/i
const LONGEST_SCHEME = 17

/** Whether a text begins with a host, and perhaps a port: then no password continues behind it. */
function isHost(text: string): boolean {
  const end = find(text, /[/?#\\ \t\r\n]/)
  const authority = text.slice(0, end)
  const isCut = authority.endsWith(':') && end < text.length && !BLANK.test(text.charAt(end))
  return !isCut && /^(\[[^\]]*\]|[^:]*)(:\d+)?$/.test(authority.slice(0, tailStart(authority)))
}

/** A password among the settings of a connection: `host=db password=…`. */
const SETTING = /\b((?:password|passwd|pwd)=)([^ \t\r\n;,&?#]+)/gi

/** The keys in the path of a base URL. */
function keysOf(url: string): readonly string[] {
  const path = /^[^/]*\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? ''
  return path.split('/').filter((segment) => /^[\w-]{16,}$/.test(segment) && isKey(segment))
}

const isKey = (segment: string): boolean => /[a-z]/i.test(segment) && /\d/.test(segment)
const isHash = (segment: string): boolean => /^[\da-f]{64}$/i.test(segment)

/** The text between two `://`: a URL without its scheme, which ends `before`, and what follows the URL. */
function redactUrl(text: string, before: string): string {
  const from = userEnd(text) + 1
  const end = find(text, BLANK, from)
  const url = text.slice(from, end)
  const scheme = /(ws|http)s?$/i.exec(before.slice(-5))?.[1]?.toLowerCase()
  const shown = scheme === undefined ? url : redactPath(url, scheme === 'ws')
  return (from === 0 ? '' : `${REDACTED}@`) + shown + redactUsers(text.slice(end))
}

/**
 * The index of the `@` behind user and password, -1 for none. A host whose port is no number is a user, whose password
 * has a character that ends a host.
 */
function userEnd(text: string): number {
  const authority = text.slice(0, find(text, /[/?#\\ \t\r\n]/))
  // a password may have an @, then a /
  if (authority.includes('@')) return text.slice(0, find(text, BLANK)).lastIndexOf('@')
  return isHost(text) ? -1 : text.lastIndexOf('@')
}

/** A WebSocket URL is configured whole: every value of its query is masked, and every key in its path. */
function redactPath(url: string, isSocket: boolean): string {
  const query = find(url, /[?#]/)
  const path = url.slice(0, query).replace(PATH_KEY, (whole, segment: string) => {
    const isShown = !isKey(segment) || (isHash(segment) && !isSocket)
    return isShown ? whole : `/${REDACTED}`
  })
  return path + (isSocket ? redactParameters(url.slice(query), () => true) : url.slice(query))
}

const PATH_KEY = /\/([\w-]{16,})(?=[/"'`)>\]},;:!]|\.?$)/g

/** `user:password@host` without a scheme, in every word. A drive letter is no user. */
function redactUsers(text: string): string {
  if (!text.includes('@')) return text
  return text.replace(/[^ \t\r\n]+/g, (word) => {
    const end = word.lastIndexOf('@')
    const user = /(?:^|["'`(<[{,=])([^"'`()<>[\]{},=:@/\\]+):/.exec(word.slice(0, Math.max(end, 0)))
    if (user?.[1] === undefined || /^[a-z]:[\\/]/i.test(word)) return word
    return word.slice(0, user.index + user[0].length - user[1].length - 1) + REDACTED + word.slice(end)
  })
}

/** Masks the values of the parameters `?name=value`, `&name=value`, `#name=value` with a secret name. */
function redactParameters(text: string, isSecret: (name: string) => boolean): string {
  let isMasking = false
  return text.replace(/([?&#])([^?&#]*)/g, (whole, mark: string, body: string) => {
    const end = find(body, BLANK)
    const isContinued = isMasking && mark !== '&' // a value may have a raw ? or #
    const name = /^[^= \t\r\n]*=/.exec(body)?.[0] ?? ''
    if (!isContinued && (end === 0 || !isSecret(decoded(name)))) {
      isMasking = false
      return whole
    }
    isMasking = end === body.length
    const value = body.slice(name.length, end)
    return (isContinued ? value.slice(tailStart(value)) : mark + name + masked(value)) + body.slice(end)
  })
}

/** The mark in place of a value, and the punctuation behind it. */
const masked = (value: string): string => REDACTED + value.slice(tailStart(value))

/** A name without percent-encoding, which would hide it. */
const decoded = (name: string): string =>
  name.replace(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

const BLANK = /[ \t\r\n]/

/** The index of the first match from an index on; the length without one. */
function find(text: string, pattern: RegExp, from = 0): number {
  const at = text.slice(from).search(pattern)
  return at === -1 ? text.length : from + at
}

/** Where the punctuation begins that ends a URL in a sentence, in quotes or in JSON. */
function tailStart(text: string): number {
  let at = text.length
  while (at > 0 && `"'\`)>]},;:.!`.includes(text.charAt(at - 1))) at--
  return at
}
