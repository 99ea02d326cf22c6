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
import type { Clock } from '../connection/quiet.js'
import { toRpcError } from '../to-rpc-error.js'
import { done, failed, nextCommand, nextRetryIn, refuse, type Command } from './commands.js'
import { NOTHING_PLACED, type Placed } from './placed.js'
import type { Subscriptions } from './subscriptions.js'

export interface KeepPlacedDeps extends Pick<Subscriptions, 'desired' | 'place'> {
  readonly clock: Clock
  /** Bound of one request, ms. */
  readonly requestTimeout: number
}

/** Why a node must not be asked to watch an address; undefined where nothing is wrong with that. */
export type Obstacle = (address: string) => ChainError | undefined

/**
 * Places what is wanted on a connection and goes on following what is wanted, until it is let go. Emits once, when
 * everything wanted has been placed or refused for the first time. Never errors.
 */
export function keepPlaced$(connection: NodeConnection, obstacle: Obstacle, deps: KeepPlacedDeps): Observable<void> {
  const { desired, place, clock } = deps
  return follow$(connection, obstacle, deps).pipe(
    tap(place),
    finalize(() => place(NOTHING_PLACED)),
    filter((placed) => nextCommand(desired, placed, clock.now()) === null),
    map(() => undefined),
    distinctUntilChanged(), // once: all that follows is the same
  )
}

/** One request after the other, each decided when the one before has been answered. */
function follow$(connection: NodeConnection, obstacle: Obstacle, deps: KeepPlacedDeps): Observable<Placed> {
  const { desired, clock } = deps
  return of(NOTHING_PLACED).pipe(
    expand((placed) => {
      const command = nextCommand(desired, placed, clock.now())
      return command === null ? change$(desired, placed, clock) : execute$(connection, command, placed, obstacle, deps)
    }),
  )
}

/** `placed` again, as soon as there may be something to do: something else is wanted, or a refusal may be retried. */
function change$(desired: Subscriptions['desired'], placed: Placed, clock: Clock): Observable<Placed> {
  const wait = nextRetryIn(desired, placed, clock.now())
  const retry$ = wait === Infinity ? NEVER : timer(wait, clock.scheduler)
  return merge(desired.changed$, retry$).pipe(
    take(1),
    map(() => placed),
  )
}

/** Does what `command` says, as far as nothing stands against it. */
function execute$(
  connection: NodeConnection,
  command: Command,
  placed: Placed,
  obstacle: Obstacle,
  { clock, requestTimeout }: KeepPlacedDeps,
): Observable<Placed> {
  const { sound, rest } = sift(command, placed, obstacle, clock.now())
  if (sound === null) return of(rest)
  return connection.call(sound.method, { scope: sound.scope }, { timeout: requestTimeout }).pipe(
    map(() => done(rest, sound)),
    catchError((cause: unknown) => of(failed(rest, sound, toRpcError(sound.method, cause), clock.now()))),
  )
}

/** The part of a command that may be sent, and `placed` with the refusal of what may not. */
function sift(
  command: Command,
  placed: Placed,
  obstacle: Obstacle,
  now: number,
): { readonly sound: Command | null; readonly rest: Placed } {
  const { method, scope } = command
  if (method === 'unsubscribe' || scope.type !== 'utxos-changed') return { sound: command, rest: placed }
  const judged = scope.addresses.map((address) => [address, obstacle(address)] as const)
  const sound = judged.flatMap(([address, error]) => (error === undefined ? address : []))
  const refusals = judged.flatMap(([address, error]) => (error === undefined ? [] : [[address, error] as const]))
  return {
    sound: sound.length === 0 ? null : { method, scope: { ...scope, addresses: sound } },
    rest: refuse(placed, refusals, now),
  }
}
