import { EMPTY, filter, finalize, ignoreElements, interval, share, tap } from 'rxjs'
import type { Observable, SchedulerLike, Subject } from 'rxjs'
import type { AddressSet } from '../store/store.js'

/**
 * What trackers and their timers request of the sync:
 * - `track`: address sets were opened, or got another subscriber. `release`: one has lost a subscriber.
 * - `fetch`: these sets have to be fetched again. `readMempool`: the mempool has to be read for these sets.
 * - `poll`: this interval of subscribers, in ms, has elapsed.
 * - `requestScore`: an entry of a block with a higher DAA score than the last known one was added.
 */
export type SyncCommand =
  | { readonly type: 'track' | 'requestScore' }
  | { readonly type: 'release'; readonly addressSet: AddressSet }
  | { readonly type: 'fetch' | 'readMempool'; readonly addressSets: readonly AddressSet[] }
  | { readonly type: 'poll'; readonly interval: number }

export type SyncCommands = Subject<SyncCommand>

type CommandOf<Type extends SyncCommand['type']> = Extract<SyncCommand, { readonly type: Type }>

/** The commands of one type. */
export const commandsOf$ = <Type extends SyncCommand['type']>(
  commands$: Observable<SyncCommand>,
  type: Type,
): Observable<CommandOf<Type>> => commands$.pipe(filter((command): command is CommandOf<Type> => command.type === type))

/** Requests the mempool and the UTXOs of some sets. */
export function refetch(commands$: SyncCommands, addressSets: readonly AddressSet[]): void {
  // the mempool first: a payment accepted in between is in both, not in neither
  commands$.next({ type: 'readMempool', addressSets })
  commands$.next({ type: 'fetch', addressSets })
}

/** Runs a timer of `ms` while subscribed to; none for 0. Never emits. */
export type Ticks = (ms: number) => Observable<never>

/** Shares one timer per interval between all subscribers; each tick requests a poll. */
export function createTicks(commands$: SyncCommands, scheduler: SchedulerLike): Ticks {
  const clocks = new Map<number, Observable<never>>()
  return (ms) => {
    const clock$ =
      clocks.get(ms) ??
      interval(ms, scheduler).pipe(
        tap(() => commands$.next({ type: 'poll', interval: ms })),
        ignoreElements(),
        finalize(() => clocks.delete(ms)),
        share(),
      )
    clocks.set(ms, clock$)
    return ms === 0 ? EMPTY : clock$
  }
}
