/** A member of an object from the page. Undefined if the access throws. */
export function memberOf(object: object, name: string): unknown {
  try {
    const member: unknown = Reflect.get(object, name)
    return member
  } catch {
    return undefined // a getter that throws, or a revoked proxy of a removed extension
  }
}

/**
 * The messages of a rejection: its own, then that of the extension's original error, which KasWare's own message can
 * omit.
 */
export const messagesOf = (cause: unknown): readonly string[] => [
  toMessage(cause),
  toMessage(fieldOf(fieldOf(cause, 'data'), 'originalError')),
]

function toMessage(value: unknown): string {
  const message = typeof value === 'string' ? value : fieldOf(value, 'message')
  return typeof message === 'string' ? message : ''
}

/** A field of a value of any type; undefined if the value is not an object. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? memberOf(value, name) : undefined
