import {
  NEVER,
  catchError,
  distinctUntilChanged,
  expand,
  filter,
  finalize,
  map,
  merge,
  of,
  take,
  tap,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ChainError } from '../../errors/chain-error.js'
import type { NodeConnection } from '../../node/port.js'
import type { Clock } from '../connection/heartbeat.js'
import { toRpcError } from '../failed-requests.js'
import { applyFailure, applyRefusals, applySuccess, nextCommand, nextRetryIn, type Command } from './commands.js'
import { NOTHING_PLACED, type Placed, type Subscriptions } from './subscriptions.js'

interface Deps extends Pick<Subscriptions, 'desired' | 'setPlaced'> {
  readonly clock: Clock
  /** Timeout of one request, ms. */
  readonly requestTimeout: number
}

/** The error of an address that must not be subscribed to; undefined if it may. */
export type CheckAddress = (address: string) => ChainError | undefined

/**
 * Keeps the subscriptions of a connection equal to the desired ones while subscribed. Emits once, when all desired
 * subscriptions have been placed or refused for the first time. Never errors.
 */
export function placeSubscriptions$(connection: NodeConnection, check: CheckAddress, deps: Deps): Observable<void> {
  const { desired, setPlaced, clock } = deps
  return placements$(connection, check, deps).pipe(
    tap(setPlaced),
    finalize(() => setPlaced(NOTHING_PLACED)),
    filter((placed) => nextCommand(desired, placed, clock.now()) === null),
    map(() => undefined),
    distinctUntilChanged(), // emits once
  )
}

/** Sends one request at a time, each chosen after the previous response. */
function placements$(connection: NodeConnection, check: CheckAddress, deps: Deps): Observable<Placed> {
  const { desired, clock } = deps
  return of(NOTHING_PLACED).pipe(
    expand((placed) => {
      const command = nextCommand(desired, placed, clock.now())
      return command === null ? change$(desired, placed, clock) : execute$(connection, command, placed, check, deps)
    }),
  )
}

/** Emits `placed` when the desired subscriptions change or a refused one may be retried. */
function change$(desired: Subscriptions['desired'], placed: Placed, clock: Clock): Observable<Placed> {
  const delay = nextRetryIn(desired, placed, clock.now())
  const retry$ = delay === Infinity ? NEVER : timer(delay, clock.scheduler)
  return merge(desired.changed$, retry$).pipe(
    take(1),
    map(() => placed),
  )
}

/** Executes a command without the addresses that fail the check. */
function execute$(
  connection: NodeConnection,
  command: Command,
  placed: Placed,
  check: CheckAddress,
  { clock, requestTimeout }: Deps,
): Observable<Placed> {
  const { allowed, next } = splitRefused(command, placed, check, clock.now())
  if (allowed === null) return of(next)
  return connection.call(allowed.method, { scope: allowed.scope }, { timeout: requestTimeout }).pipe(
    map(() => applySuccess(next, allowed)),
    catchError((cause: unknown) => of(applyFailure(next, allowed, toRpcError(allowed.method, cause), clock.now()))),
  )
}

/** The allowed part of a command, and `placed` with the refusals of the other addresses. */
function splitRefused(
  command: Command,
  placed: Placed,
  check: CheckAddress,
  now: number,
): { readonly allowed: Command | null; readonly next: Placed } {
  const { method, scope } = command
  if (method === 'unsubscribe' || scope.type !== 'utxos-changed') return { allowed: command, next: placed }
  const checked = scope.addresses.map((address) => [address, check(address)] as const)
  const addresses = checked.flatMap(([address, error]) => (error === undefined ? address : []))
  const refusals = checked.flatMap(([address, error]) => (error === undefined ? [] : [[address, error] as const]))
  return {
    allowed: addresses.length === 0 ? null : { method, scope: { ...scope, addresses } },
    next: applyRefusals(placed, refusals, now),
  }
}
