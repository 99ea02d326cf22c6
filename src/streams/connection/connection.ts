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
import { cancelled, disposed, superseded } from './connect-errors.js'
import { dial$, type DialDeps, type DialEvent } from './dial.js'
import type { Connection, ConnectionEvent } from './phases.js'
import type { RetryPolicy } from './policy.js'
import { notConnected, reduceConnection } from './reduce-connection.js'
import type { Target } from './target.js'

export interface ConnectionDeps<Session> extends Omit<DialDeps<Session>, 'scheduler'> {
  readonly platform: Pick<Platform, 'now' | 'scheduler' | 'random' | 'online$'>
  readonly policy: RetryPolicy
  /** What is sought until someone asks for something else. */
  readonly target: Target
}

/** A connection that is kept, as long as someone wants it. */
export interface ConnectionKeeper<Session> {
  /** Replays the current state, emits only changes, never errors, completes on `dispose`. */
  readonly state$: Observable<Connection<Session>>
  readonly state: Connection<Session>
  /** Resolves once connected; rejects with what `error` holds, as `superseded`, or as `cancelled`. */
  connect(target: Target): Promise<void>
  reconnect(): Promise<void>
  /** Seeks something else from now on; resolves at once where no connection is wanted, else as `reconnect` does. */
  retarget(target: Target): Promise<void>
  disconnect(): void
  /** Remembers that the node of dial number `dial` is not what it should be, for the next choice among several. */
  reportFault(dial: number): void
  dispose(): void
}

/** Wires the reducer to sockets, timers and the network. Dials nothing before it is asked to. */
export function createConnection<Session>(deps: ConnectionDeps<Session>): ConnectionKeeper<Session> {
  const machine = createMachine<Connection<Session>, ConnectionEvent<Session>>(
    notConnected(deps.target),
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
    connect: (target) => ask(machine, { type: 'connectRequested', target }),
    reconnect: () => ask(machine, { type: 'reconnectRequested' }),
    retarget: (target) => {
      if (machine.state.status !== 'disconnected') return ask(machine, { type: 'retargeted', target })
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

type Wired<Session> = Machine<Connection<Session>, ConnectionEvent<Session>>

/** One number, one socket: from connecting to connected it is kept, anything else hangs up. */
function dials$<Session>(
  { state$ }: Wired<Session>,
  deps: ConnectionDeps<Session>,
): Observable<ConnectionEvent<Session>> {
  const { platform } = deps
  const circumstances = (event: DialEvent<Session>, online: boolean): ConnectionEvent<Session> =>
    'error' in event
      ? { ...event, at: platform.now(), random: platform.random(), network: online ? 'up' : 'down' }
      : event
  return state$.pipe(
    distinctUntilChanged((a, b) => dialInUse(a) === dialInUse(b)),
    switchMap((state) =>
      'step' in state && state.step === 'dialling'
        ? dial$(state, { ...deps, scheduler: platform.scheduler }).pipe(withLatestFrom(platform.online$, circumstances))
        : EMPTY,
    ),
  )
}

/** The dial whose socket may live; null where none may. */
function dialInUse<Session>(state: Connection<Session>): number | null {
  const isLive = state.status === 'connected' || ('step' in state && state.step === 'dialling')
  return isLive ? state.dial : null
}

/** The end of each wait. */
function retries$<Session>(
  { state$ }: Wired<Session>,
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

/** The network's coming and going, while anyone wants a connection. */
function network$<Session>(
  { state$ }: Wired<Session>,
  { platform }: ConnectionDeps<Session>,
): Observable<ConnectionEvent<Session>> {
  return state$.pipe(
    map(({ status }) => status !== 'disconnected'),
    distinctUntilChanged(),
    switchMap((isWanted) => (isWanted ? platform.online$.pipe(skip(1)) : EMPTY)),
    map((online) => ({ type: online ? 'networkReturned' : 'networkLost' }) as const),
  )
}

/**
 * Expresses a wish; what becomes of it. Which wish it is, is looked at in turn: after the event was taken, and before any
 * that it brings about, since a dial may fail at once and a listener wish for something else.
 */
function ask<Session>(machine: Wired<Session>, wish: ConnectionEvent<Session>): Promise<void> {
  return new Promise((resolve) => {
    queueScheduler.schedule(() => {
      machine.dispatch(wish)
      queueScheduler.schedule(() => resolve(outcome(machine, machine.state.request)))
    })
  })
}

async function outcome<Session>({ state$ }: Wired<Session>, request: number): Promise<void> {
  const verdict$ = state$.pipe(
    map((state) => toVerdict(state, request)),
    filter((verdict) => verdict !== 'pending'),
  )
  const verdict = await firstValueFrom(verdict$, { defaultValue: disposed() })
  if (verdict !== 'connected') throw verdict
}

function toVerdict<Session>(state: Connection<Session>, request: number): 'pending' | 'connected' | ChainRpcError {
  if (state.status === 'disconnected') return cancelled()
  if (state.request !== request) return superseded()
  if (state.status === 'error') return state.error
  return state.status === 'connected' ? 'connected' : 'pending'
}
