import type { ChainRpcError } from '../../errors/rpc-error.js'
import { noEndpoint } from './dial.js'
import {
  NO_MEMORY,
  chooseCandidate,
  clearRefusals,
  clearFault,
  recordFault,
  recordRefusal,
  isLocal,
  isSameTarget,
  type Target,
} from './endpoints.js'
import type {
  ConnectionBase,
  EventContext,
  Connected,
  Connection,
  ConnectionEvent,
  Dialling,
  Waiting,
} from './state.js'
import { backoff, firstRetryDelay, type RetryPolicy } from './policy.js'

type Ended = EventContext & { readonly error: ChainRpcError }

export const initialConnection = (target: Target): Connection<never> => ({
  status: 'disconnected',
  target,
  request: 0,
  dial: 0,
  memory: NO_MEMORY,
})

/** The next connection state; the same object if the event has no meaning. */
export function reduceConnection<Session>(
  state: Connection<Session>,
  event: ConnectionEvent<Session>,
  policy: RetryPolicy,
): Connection<Session> {
  switch (event.type) {
    case 'connectRequested':
      return isActive(state) && isSameTarget(state.target, event.target) ? state : startDialling(state, event.target)
    case 'reconnectRequested':
      return startDialling(state, state.target)
    case 'retargeted':
      return state.status === 'disconnected' ? { ...state, target: event.target } : startDialling(state, event.target)
    case 'disconnectRequested':
      return state.status === 'disconnected' ? state : { ...baseOf(state), status: 'disconnected' }
    case 'resolved':
      return isDialling(state, event.dial) && state.url === null ? { ...state, url: event.url } : state
    case 'opened':
      return isDialling(state, event.dial) ? open(state, event) : state
    case 'ended':
      return end(state, event.dial, event, policy)
    case 'refused':
      return isDialling(state, event.dial) || isConnected(state, event.dial) ? refuse(state, event, policy) : state
    case 'faulted':
      return isConnected(state, event.dial)
        ? { ...state, memory: recordFault(state.memory, state.candidate, state.url, event.at) }
        : state
    case 'retryDue':
      return isWaiting(state) && state.dial === event.dial ? dialAgain(state) : state
    case 'wentOnline':
      return isWaiting(state) ? dialAgain(state) : state.status === 'error' ? startDialling(state, state.target) : state
    case 'wentOffline':
      return isWaiting(state) && !isLocal(state.target) ? { ...state, retryAt: null } : state
  }
}

const isActive = <Session>(state: Connection<Session>): boolean =>
  state.status !== 'disconnected' && state.status !== 'error'

const isDialling = <Session>(state: Connection<Session>, dial: number): state is Dialling =>
  'step' in state && state.step === 'dialling' && state.dial === dial

const isConnected = <Session>(state: Connection<Session>, dial: number): state is Connected<Session> =>
  state.status === 'connected' && state.dial === dial

const isWaiting = <Session>(state: Connection<Session>): state is Waiting => 'step' in state && state.step === 'waiting'

const baseOf = <Session>({ target, request, dial, memory }: Connection<Session>): ConnectionBase => ({
  target,
  request,
  dial,
  memory,
})

/** Starts attempt 0 at once, in any state. */
function startDialling<Session>(state: Connection<Session>, target: Target): Connection<Session> {
  const error = 'error' in state && isSameTarget(state.target, target) ? state.error : null
  const base = { ...baseOf(state), target, request: state.request + 1, memory: clearRefusals(state.memory) }
  return dial(base, { status: 'connecting', attempt: 0, error })
}

const dialAgain = (state: Waiting): Connection<never> => dial(baseOf(state), state)

/** Dials the next candidate; `error` if all have refused. */
function dial(
  base: ConnectionBase,
  { status, attempt, error }: Pick<Dialling, 'status' | 'attempt' | 'error'>,
): Connection<never> {
  const candidate = chooseCandidate(base.target, base.memory)
  if (candidate === null) {
    return { ...base, status: 'error', attempt, error: error ?? noEndpoint() }
  }
  const url = candidate.via === 'url' ? candidate.url : null
  return { ...base, dial: base.dial + 1, status, step: 'dialling', attempt, candidate, url, error }
}

function open<Session>(
  state: Dialling,
  { url, session }: { readonly url: string; readonly session: Session },
): Connected<Session> {
  const { candidate } = state
  const memory = clearFault(state.memory, candidate, url)
  return { ...baseOf(state), memory, status: 'connected', candidate, url, session }
}

/** Handles a failed dial or a dropped connection. `firstDelay`: ms before the first retry after a drop. */
function end<Session>(
  state: Connection<Session>,
  dialId: number,
  event: Ended,
  policy: RetryPolicy,
  firstDelay = firstRetryDelay(event.random),
): Connection<Session> {
  if (isDialling(state, dialId)) {
    const memory = recordFault(state.memory, state.candidate, state.url, event.at)
    const attempt = state.attempt + 1
    const delay = backoff(attempt, policy, event.random)
    return retry({ ...baseOf(state), memory }, { status: state.status, attempt, delay }, event, policy)
  }
  if (isConnected(state, dialId)) {
    const memory = recordFault(state.memory, state.candidate, state.url, event.at)
    return retry({ ...baseOf(state), memory }, { status: 'reconnecting', attempt: 1, delay: firstDelay }, event, policy)
  }
  return state
}

/**
 * Handles a permanent refusal, also of a connected node. The remaining candidates are dialled at once, without counting
 * a retry; a resolver is queried again after a full delay only, since it may return such nodes without end.
 */
function refuse<Session>(state: Dialling | Connected<Session>, event: Ended, policy: RetryPolicy): Connection<Session> {
  const memory = state.url === null ? state.memory : recordRefusal(state.memory, state.url)
  const refused = { ...state, memory }
  if (state.candidate.via === 'resolver')
    return end(refused, state.dial, event, policy, backoff(1, policy, event.random))
  if (state.status !== 'connected') return dial(baseOf(refused), { ...state, error: event.error })
  const next = dial(baseOf(refused), { status: 'reconnecting', attempt: 0, error: event.error })
  return next.status === 'reconnecting' ? { ...next, attempt: 1 } : next
}

function retry(
  base: ConnectionBase,
  { status, attempt, delay }: { readonly status: Waiting['status']; readonly attempt: number; readonly delay: number },
  { at, network, error }: Ended,
  policy: RetryPolicy,
): Connection<never> {
  if (attempt > policy.maxRetries) return { ...base, status: 'error', attempt: attempt - 1, error }
  const retryAt = network === 'up' || isLocal(base.target) ? at + delay : null
  return { ...base, status, step: 'waiting', attempt, retryAt, error }
}
