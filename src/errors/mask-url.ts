/**
 * A text with the credentials of each URL in it masked: user and password before a host, and in the query the values of
 * parameters whose names suggest a secret; all of them where the text has a WebSocket URL. Linear in the length of the text.
 */
export function maskCredentials(text: string): string {
  if (!text.includes('://')) return text
  const isSocket = /wss?:\/\//i.test(text)
  return text
    .replace(/:\/\/[^\s"'<>`/?#]*@/g, '://…@')
    .replace(/([?&])([^\s"'<>`?&#]+)/g, (_, mark: string, parameter: string) => mark + mask(parameter, isSocket))
}

function mask(parameter: string, isSocket: boolean): string {
  const name = parameter.split('=', 1)[0] ?? ''
  if (name === parameter) return isSocket ? '…' : parameter
  return isSocket || SECRET.test(name) ? `${name}=…` : parameter
}

const SECRET = /token|key|secret|auth|pass|sig|cred|session|jwt/i

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
