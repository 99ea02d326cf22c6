import type { ChainRpcError } from '../../errors/rpc-error.js'
import { noWay } from './connect-errors.js'
import {
  NO_MEMORY,
  chooseCandidate,
  forgetRefusals,
  forgive,
  rememberFault,
  rememberRefusal,
} from './endpoint-memory.js'
import type { Base, Circumstances, Connected, Connection, ConnectionEvent, Dialling, Waiting } from './phases.js'
import { backoff, firstRetryDelay, type RetryPolicy } from './policy.js'
import { isLocal, isSameTarget, type Target } from './target.js'

type Ended = Circumstances & { readonly error: ChainRpcError }

/** Nobody has asked for anything yet. */
export const notConnected = (target: Target): Connection<never> => ({
  status: 'disconnected',
  target,
  request: 0,
  dial: 0,
  memory: NO_MEMORY,
})

/** What a connection becomes after `event`; the very same object where the event means nothing. */
export function reduceConnection<Session>(
  state: Connection<Session>,
  event: ConnectionEvent<Session>,
  policy: RetryPolicy,
): Connection<Session> {
  switch (event.type) {
    case 'connectRequested':
      return isUnderWay(state) && isSameTarget(state.target, event.target) ? state : dialAnew(state, event.target)
    case 'reconnectRequested':
      return dialAnew(state, state.target)
    case 'retargeted':
      return state.status === 'disconnected' ? { ...state, target: event.target } : dialAnew(state, event.target)
    case 'disconnectRequested':
      return state.status === 'disconnected' ? state : { ...baseOf(state), status: 'disconnected' }
    case 'resolved':
      return isDialling(state, event.dial) && state.url === null ? { ...state, url: event.url } : state
    case 'opened':
      return isDialling(state, event.dial) ? open(state, event) : state
    case 'ended':
      return end(state, event.dial, event, policy)
    case 'refused':
      return isDialling(state, event.dial) ? refuse(state, event, policy) : state
    case 'faulted':
      return isConnected(state, event.dial)
        ? { ...state, memory: rememberFault(state.memory, state.candidate, state.url, event.at) }
        : state
    case 'retryDue':
      return isWaiting(state) && state.dial === event.dial ? dialNext(state) : state
    case 'networkReturned':
      return isWaiting(state) ? dialNext(state) : state.status === 'error' ? dialAnew(state, state.target) : state
    case 'networkLost':
      return isWaiting(state) && !isLocal(state.target) ? { ...state, retryAt: null } : state
  }
}

const isUnderWay = <Session>(state: Connection<Session>): boolean =>
  state.status !== 'disconnected' && state.status !== 'error'

const isDialling = <Session>(state: Connection<Session>, dial: number): state is Dialling =>
  'step' in state && state.step === 'dialling' && state.dial === dial

const isConnected = <Session>(state: Connection<Session>, dial: number): state is Connected<Session> =>
  state.status === 'connected' && state.dial === dial

const isWaiting = <Session>(state: Connection<Session>): state is Waiting => 'step' in state && state.step === 'waiting'

const baseOf = <Session>({ target, request, dial, memory }: Connection<Session>): Base => ({
  target,
  request,
  dial,
  memory,
})

/** A dial that someone asked for: attempt 0, at once, whatever was under way. */
function dialAnew<Session>(state: Connection<Session>, target: Target): Connection<Session> {
  const error = 'error' in state && isSameTarget(state.target, target) ? state.error : null
  const base = { ...baseOf(state), target, request: state.request + 1, memory: forgetRefusals(state.memory) }
  return dial(base, { status: 'connecting', attempt: 0, error })
}

const dialNext = (state: Waiting): Connection<never> => dial(baseOf(state), state)

/** The next dial, to whoever is next; the end where nobody is left. */
function dial(
  base: Base,
  { status, attempt, error }: Pick<Dialling, 'status' | 'attempt' | 'error'>,
): Connection<never> {
  const candidate = chooseCandidate(base.target, base.memory)
  if (candidate === null) {
    return { ...base, status: 'error', attempt, error: error ?? noWay() }
  }
  const url = candidate.via === 'url' ? candidate.url : null
  return { ...base, dial: base.dial + 1, status, step: 'dialling', attempt, candidate, url, error }
}

function open<Session>(
  state: Dialling,
  { url, session }: { readonly url: string; readonly session: Session },
): Connected<Session> {
  const { candidate } = state
  const memory = forgive(state.memory, candidate, url)
  return { ...baseOf(state), memory, status: 'connected', candidate, url, session }
}

/** A dial that failed, or a connection that was lost. */
function end<Session>(
  state: Connection<Session>,
  dialled: number,
  event: Ended,
  policy: RetryPolicy,
): Connection<Session> {
  if (isDialling(state, dialled)) {
    const memory = rememberFault(state.memory, state.candidate, state.url, event.at)
    const attempt = state.attempt + 1
    const delay = backoff(attempt, policy, event.random)
    return retry({ ...baseOf(state), memory }, { status: state.status, attempt, delay }, event, policy)
  }
  if (isConnected(state, dialled)) {
    const memory = rememberFault(state.memory, state.candidate, state.url, event.at)
    const delay = firstRetryDelay(event.random)
    return retry({ ...baseOf(state), memory }, { status: 'reconnecting', attempt: 1, delay }, event, policy)
  }
  return state
}

/** An endpoint that will never do. Those that are left are tried at once, without spending a retry on it. */
function refuse(state: Dialling, event: Ended, policy: RetryPolicy): Connection<never> {
  const memory = state.url === null ? state.memory : rememberRefusal(state.memory, state.url)
  const refused = { ...state, memory }
  if (state.candidate.via === 'resolver') return end(refused, state.dial, event, policy)
  return dial(baseOf(refused), { ...state, error: event.error })
}

function retry(
  base: Base,
  { status, attempt, delay }: { readonly status: Waiting['status']; readonly attempt: number; readonly delay: number },
  { at, network, error }: Ended,
  policy: RetryPolicy,
): Connection<never> {
  if (attempt > policy.maxRetries) return { ...base, status: 'error', attempt: attempt - 1, error }
  const retryAt = network === 'up' || isLocal(base.target) ? at + delay : null
  return { ...base, status, step: 'waiting', attempt, retryAt, error }
}
