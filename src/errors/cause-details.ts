/** Causes below this depth add nothing a reader could use; also ends a cycle of causes. */
const MAX_DEPTH = 5

/** The messages of a chain of causes, outermost first, without repetitions; `''` where there are none. */
export function causeDetails(cause: unknown): string {
  const messages: string[] = []
  let current = cause
  for (let depth = 0; depth < MAX_DEPTH && current !== undefined; depth++) {
    const message = messageOf(current).trim()
    if (message !== '' && !messages.some((known) => known.includes(message))) messages.push(message)
    current = innerCause(current)
  }
  return messages.join(': ')
}

/** A message that ends with why: with the details of its cause, where there are any. */
export function withDetails(message: string, cause: unknown): string {
  const details = causeDetails(cause)
  return details === '' ? message : `${message}: ${details}`
}

/** WebSocket error events and the errors of browser wallets have a `message` without being an `Error`. */
function messageOf(cause: unknown): string {
  if (typeof cause === 'string') return cause
  const hasMessage = typeof cause === 'object' && cause !== null && 'message' in cause
  return hasMessage && typeof cause.message === 'string' ? cause.message : ''
}

function innerCause(cause: unknown): unknown {
  if (cause instanceof AggregateError) return cause.errors.at(-1)
  return typeof cause === 'object' && cause !== null && 'cause' in cause ? cause.cause : undefined
}
