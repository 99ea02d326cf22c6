import { redact } from '../../errors/redact.js'
import type { Connection } from './phases.js'
import type { ConnectionState } from './state.js'

/** Whether two public states are equal. */
export const isSameState = (a: ConnectionState, b: ConnectionState): boolean =>
  a.status === b.status &&
  a.url === b.url &&
  a.attempt === b.attempt &&
  a.nextRetryAt === b.nextRetryAt &&
  a.error === b.error &&
  a.network === b.network &&
  a.encoding === b.encoding

/** The public state of a connection. */
export function toConnectionState(state: Connection<unknown>): ConnectionState {
  const { network, encoding } = state.target
  const requested = { network, encoding, url: null, nextRetryAt: null } as const
  switch (state.status) {
    case 'disconnected':
      return { ...requested, status: state.status, attempt: 0, error: null }
    case 'connected':
      return { ...requested, status: state.status, url: redact(state.url), attempt: 0, error: null }
    case 'error':
      return { ...requested, status: state.status, attempt: state.attempt, error: state.error }
    case 'connecting':
    case 'reconnecting': {
      const { status, attempt, error } = state
      return state.step === 'dialling'
        ? { ...requested, status, attempt, error, url: state.url === null ? null : redact(state.url) }
        : { ...requested, status, attempt, error, nextRetryAt: state.retryAt }
    }
  }
}
