/**
 * A text with the credentials of each URL in it masked: user and password before a host, and in the query the values of
 * parameters whose names suggest a secret, of a WebSocket URL all of them. Linear in the length of the text.
 */
export function maskCredentials(text: string): string {
  if (!text.includes('://')) return text
  return text
    .split(WHITE_SPACE)
    .map((part) => (part.includes('://') ? maskPart(part) : part))
    .join('')
}

/** Keeps the separators as parts of their own. */
const WHITE_SPACE = /([\s"'<>`]+)/

/** One text without white space that holds at least one URL. */
function maskPart(part: string): string {
  const pieces = part.split('://')
  return pieces.map((piece, at) => (at === 0 ? piece : maskUrl(piece, pieces[at - 1] ?? ''))).join('://')
}

/** The part of a URL after its scheme; `before` ends with the scheme. */
function maskUrl(rest: string, before: string): string {
  const end = firstOf(rest, ['/', '?', '#'])
  const authority = rest.slice(0, end)
  const at = authority.lastIndexOf('@')
  return (at < 0 ? authority : `…${authority.slice(at)}`) + maskQuery(rest.slice(end), /wss?$/i.test(before))
}

function maskQuery(path: string, isSocket: boolean): string {
  const start = path.indexOf('?')
  if (start < 0) return path
  const end = firstOf(path, ['#'])
  const parameters = path
    .slice(start + 1, end)
    .split('&')
    .map((one) => maskParameter(one, isSocket))
  return `${path.slice(0, start + 1)}${parameters.join('&')}${path.slice(end)}`
}

function maskParameter(parameter: string, isSocket: boolean): string {
  const equals = parameter.indexOf('=')
  if (equals < 0) return isSocket && parameter !== '' ? '…' : parameter
  const name = parameter.slice(0, equals)
  return isSocket || SECRET.test(name) ? `${name}=…` : parameter
}

const SECRET = /token|key|secret|auth|pass|sign|cred|session/i

/** The index of the first of these characters; the length of the text without one. */
const firstOf = (text: string, characters: readonly string[]): number =>
  Math.min(...characters.map((character) => text.indexOf(character)).map((at) => (at < 0 ? text.length : at)))

/** The cause, unchanged unless it is an error whose words hold a credential: then an error with the masked words. */
export function maskCause(cause: unknown, outer: readonly unknown[] = []): unknown {
  if (typeof cause === 'string') return maskCredentials(cause)
  if (!(cause instanceof Error)) return cause
  if (outer.includes(cause)) return undefined // ends a cycle of causes
  const message = maskCredentials(cause.message)
  const inner = maskCause(cause.cause, [...outer, cause])
  if (message === cause.message && inner === cause.cause) return cause
  const masked = new Error(message, inner === undefined ? undefined : { cause: inner })
  masked.name = cause.name
  return masked
}
