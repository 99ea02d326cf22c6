import {
  EMPTY,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
  merge,
  queueScheduler,
  skip,
  switchMap,
  timer,
  withLatestFrom,
  type Observable,
} from 'rxjs'
import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { Platform } from '../../platform/port.js'
import { createMachine, type Machine } from '../machine.js'
import { aborted, disposed, superseded, dial$, toDialRequest, type DialDeps, type DialEvent } from './dial.js'
import type { Connection, ConnectionEvent } from './state.js'
import type { RetryPolicy } from './policy.js'
import { initialConnection, reduceConnection } from './reduce-connection.js'
import type { Target } from './endpoints.js'

export interface ConnectionDeps<Session> extends Omit<DialDeps<Session>, 'scheduler'> {
  readonly platform: Pick<Platform, 'now' | 'scheduler' | 'random' | 'online$'>
  readonly policy: RetryPolicy
  /** The initial target. */
  readonly target: Target
}

/** A connection that reconnects until `disconnect`. */
export interface Connector<Session> {
  /** Replays the current state, emits only changes, never errors, completes on `dispose`. */
  readonly state$: Observable<Connection<Session>>
  readonly state: Connection<Session>
  /** Resolves once connected; rejects with the state's `error`, or with code `superseded`, `aborted` or `disposed`. */
  connect(target: Target): Promise<void>
  reconnect(): Promise<void>
  /** Changes the target; resolves at once while disconnected, else behaves as `reconnect`. */
  retarget(target: Target): Promise<void>
  disconnect(): void
  /** Records a fault of the node of dial `dial`, for the next choice of a candidate. */
  reportFault(dial: number): void
  dispose(): void
}

/** Wires the reducer to sockets, timers and the network. Does not dial before `connect`. */
export function createConnection<Session>(deps: ConnectionDeps<Session>): Connector<Session> {
  const machine = createMachine<Connection<Session>, ConnectionEvent<Session>>(
    initialConnection(deps.target),
    (state, event) => reduceConnection(state, event, deps.policy),
  )
  const effects = merge(dials$(machine, deps), retries$(machine, deps), network$(machine, deps)).subscribe((event) =>
    machine.dispatch(event),
  )
  return {
    state$: machine.state$,
    get state() {
      return machine.state
    },
    connect: (target) => request(machine, { type: 'connectRequested', target }),
    reconnect: () => request(machine, { type: 'reconnectRequested' }),
    retarget: (target) => {
      if (machine.state.status !== 'disconnected' || effects.closed)
        return request(machine, { type: 'retargeted', target })
      machine.dispatch({ type: 'retargeted', target })
      return Promise.resolve()
    },
    disconnect: () => machine.dispatch({ type: 'disconnectRequested' }),
    reportFault: (dial) => machine.dispatch({ type: 'faulted', dial, at: deps.platform.now() }),
    dispose: () => {
      machine.dispatch({ type: 'disconnectRequested' })
      machine.end()
      effects.unsubscribe()
    },
  }
}

type ConnectionMachine<Session> = Machine<Connection<Session>, ConnectionEvent<Session>>

/** One socket per dial, open while dialling or connected, closed in every other state. */
function dials$<Session>(
  { state$ }: ConnectionMachine<Session>,
  deps: ConnectionDeps<Session>,
): Observable<ConnectionEvent<Session>> {
  const { platform } = deps
  const withContext = (event: DialEvent<Session>, online: boolean): ConnectionEvent<Session> =>
    'error' in event
      ? { ...event, at: platform.now(), random: platform.random(), network: online ? 'up' : 'down' }
      : event
  return state$.pipe(
    distinctUntilChanged((a, b) => dialInUse(a) === dialInUse(b)),
    map((state) => ('step' in state && state.step === 'dialling' ? toDialRequest(state) : null)),
    switchMap((dialled) =>
      dialled === null
        ? EMPTY
        : dial$(dialled, { ...deps, scheduler: platform.scheduler }).pipe(
            withLatestFrom(platform.online$, withContext),
          ),
    ),
  )
}

/** The dial whose socket stays open; null if none. */
function dialInUse<Session>(state: Connection<Session>): number | null {
  const isLive = state.status === 'connected' || ('step' in state && state.step === 'dialling')
  return isLive ? state.dial : null
}

/** Emits at the end of each retry delay. */
function retries$<Session>(
  { state$ }: ConnectionMachine<Session>,
  { platform }: ConnectionDeps<Session>,
): Observable<ConnectionEvent<Session>> {
  return state$.pipe(
    switchMap((state) =>
      'step' in state && state.step === 'waiting' && state.retryAt !== null
        ? timer(Math.max(0, state.retryAt - platform.now()), platform.scheduler).pipe(
            map(() => ({ type: 'retryDue', dial: state.dial }) as const),
          )
        : EMPTY,
    ),
  )
}

/** Changes of the network while a connection is requested. */
function network$<Session>(
  { state$ }: ConnectionMachine<Session>,
  { platform }: ConnectionDeps<Session>,
): Observable<ConnectionEvent<Session>> {
  return state$.pipe(
    map(({ status }) => status !== 'disconnected'),
    distinctUntilChanged(),
    switchMap((isRequested) => (isRequested ? platform.online$.pipe(skip(1)) : EMPTY)),
    map((online) => ({ type: online ? 'wentOnline' : 'wentOffline' }) as const),
  )
}

/**
 * Dispatches an event; the promise settles with its outcome. The request number is read in the queue, after this event
 * and before the events it causes: a dial may fail at once, and a subscriber may then send another request.
 */
function request<Session>(machine: ConnectionMachine<Session>, event: ConnectionEvent<Session>): Promise<void> {
  return new Promise((resolve) => {
    queueScheduler.schedule(() => {
      machine.dispatch(event)
      queueScheduler.schedule(() => resolve(whenSettled(machine, machine.state.request)))
    })
  })
}

async function whenSettled<Session>({ state$ }: ConnectionMachine<Session>, request: number): Promise<void> {
  const outcome$ = state$.pipe(
    map((state) => toOutcome(state, request)),
    filter((outcome) => outcome !== 'pending'),
  )
  const outcome = await firstValueFrom(outcome$, { defaultValue: disposed() })
  if (outcome !== 'connected') throw outcome
}

function toOutcome<Session>(state: Connection<Session>, request: number): 'pending' | 'connected' | ChainRpcError {
  if (state.status === 'disconnected') return aborted()
  if (state.request !== request) return superseded()
  if (state.status === 'error') return state.error
  return state.status === 'connected' ? 'connected' : 'pending'
}
