import type { Connection } from './phases.js'
import type { ConnectionState } from './state.js'

/** Whether two states say the same: what went on behind the scenes is nobody's business. */
export const isSameState = (a: ConnectionState, b: ConnectionState): boolean =>
  a.status === b.status &&
  a.url === b.url &&
  a.attempt === b.attempt &&
  a.nextRetryAt === b.nextRetryAt &&
  a.error === b.error &&
  a.network === b.network &&
  a.encoding === b.encoding

/** The connection as everybody may see it. */
export function toConnectionState(state: Connection<unknown>): ConnectionState {
  const { network, encoding } = state.target
  const sought = { network, encoding, url: null, nextRetryAt: null } as const
  switch (state.status) {
    case 'disconnected':
      return { ...sought, status: state.status, attempt: 0, error: null }
    case 'connected':
      return { ...sought, status: state.status, url: state.url, attempt: 0, error: null }
    case 'error':
      return { ...sought, status: state.status, attempt: state.attempt, error: state.error }
    case 'connecting':
    case 'reconnecting': {
      const { status, attempt, error } = state
      return state.step === 'dialling'
        ? { ...sought, status, attempt, error, url: state.url }
        : { ...sought, status, attempt, error, nextRetryAt: state.retryAt }
    }
  }
}
