import {
  EMPTY,
  auditTime,
  catchError,
  concat,
  defer,
  distinctUntilChanged,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  merge,
  of,
  pairwise,
  startWith,
  switchMap,
  tap,
  throttleTime,
  type Observable,
} from 'rxjs'
import type { Scores } from '../../scores.js'
import type { NodeLink } from '../../session/node-link.js'
import { reduceMempoolPhase, type AddressSet, type UtxoSets, type MempoolEvent } from '../store/store.js'
import { commandsOf$, type SyncCommand, type SyncCommands } from './commands.js'
import type { UnconfirmedSync } from '../unconfirmed/sync.js'
import type { Unconfirmed } from '../unconfirmed/unconfirmed.js'

const ADDRESSES_PER_REQUEST = 1_000

/** Minimum ms between two reads that notifications of the node cause. */
const MIN_INTERVAL = 1_000

export interface PollMempoolDeps
  extends Pick<NodeLink, 'session$' | 'responses$' | 'call' | 'platform'>, Pick<Scores, 'sinkBlueScore$'> {
  readonly unconfirmed: Pick<Unconfirmed, 'changed$'>
}

/**
 * Reads the mempool for the address sets: when a set is opened, at the shortest interval of its subscribers, after own
 * payments, on request, and after a change of its UTXOs, the last at most once a second. One request at a time; sets
 * that become due meanwhile share the next one. Never emits or errors.
 */
export function pollMempool$(
  utxoSets: UtxoSets,
  commands$: SyncCommands,
  sync: UnconfirmedSync,
  node: PollMempoolDeps,
): Observable<never> {
  const pollInSession$ = defer(() => {
    const due = new Set<AddressSet>()
    const request = (addressSets: readonly AddressSet[]): void => {
      dispatch(addressSets, 'requested')
      for (const set of addressSets) due.add(set)
    }
    dispatch(utxoSets.all.values(), 'sessionStarted')
    const readDue$: Observable<unknown> = defer(() => {
      const addressSets = [...due].slice(0, ADDRESSES_PER_REQUEST)
      if (addressSets.length === 0) return EMPTY
      dispatch(addressSets, 'readStarted')
      for (const set of addressSets) due.delete(set)
      return concat(readMempool$(addressSets, sync, node), readDue$)
    })
    const requested$ = merge(commands$, payments$(node), of(TRACK)).pipe(
      map((command) => setsToRead(command, utxoSets.all.values())),
      filter((addressSets) => addressSets !== null),
      tap(request),
    )
    const changed$ = changedAddresses$(utxoSets, sync, node).pipe(
      tap((addresses) => request(polledAmong(addresses, utxoSets.all))),
      filter(() => due.size > 0),
      throttleTime(MIN_INTERVAL, node.platform.scheduler, { leading: true, trailing: true }),
    )
    return merge(requested$, changed$).pipe(exhaustMap(() => readDue$))
  })
  const inSessions$ = node.session$.pipe(switchMap((session) => (session === null ? EMPTY : pollInSession$)))
  return merge(inSessions$, endedPolls$(commands$, sync)).pipe(ignoreElements())
}

function dispatch(addressSets: Iterable<AddressSet>, event: MempoolEvent): void {
  for (const set of addressSets) set.mempool = reduceMempoolPhase(set.mempool, event)
}

const TRACK = { type: 'track' } as const
const PAYMENT = { type: 'payment' } as const

/** The sets whose mempool transactions have to be read after a command or an own payment; null where none does it. */
function setsToRead(command: SyncCommand | typeof PAYMENT, all: Iterable<AddressSet>): readonly AddressSet[] | null {
  switch (command.type) {
    case 'track':
      return polled(all).filter(({ mempool }) => mempool === 'unread')
    case 'poll':
      return polled(all).filter((set) => pollIntervalOf(set) === command.interval)
    case 'payment':
      return polled(all)
    case 'readMempool':
      return command.addressSets
    default:
      return null
  }
}

const polled = (sets: Iterable<AddressSet>): AddressSet[] =>
  Array.from(sets).filter((set) => pollIntervalOf(set) < Infinity)

const polledAmong = (addresses: Iterable<string>, all: ReadonlyMap<string, AddressSet>): AddressSet[] =>
  polled(Array.from(addresses, (address) => all.get(address)).filter((set) => set !== undefined))

/** Reads the mempool for some addresses once. A failure is ignored until the next read. */
function readMempool$(
  addressSets: readonly AddressSet[],
  sync: Pick<UnconfirmedSync, 'beginRead'>,
  { call }: Pick<NodeLink, 'call'>,
): Observable<unknown> {
  const addresses = addressSets.map(({ address }) => address)
  const apply = sync.beginRead(addresses)
  return call('getMempoolEntriesByAddresses', {
    addresses,
    includeOrphanPool: false,
    filterTransactionPool: false, // true returns only orphans
  }).pipe(
    tap(({ entries }) => apply(entries)),
    catchError(() => EMPTY), // the next read corrects it
  )
}

/** The addresses whose mempool transactions may have changed: with their UTXOs, or by blocks that some waited for. */
const changedAddresses$ = (
  utxoSets: UtxoSets,
  sync: UnconfirmedSync,
  { sinkBlueScore$, unconfirmed, platform }: PollMempoolDeps,
): Observable<ReadonlySet<string>> => {
  const waiting$ = unconfirmed.changed$.pipe(
    auditTime(0, platform.frames),
    map(() => sync.isWaiting()),
    startWith(sync.isWaiting()),
    distinctUntilChanged(),
  )
  const chainBlocks$ = sinkBlueScore$.pipe(
    pairwise(),
    filter(([before, after]) => after > before),
  )
  return merge(
    utxoSets.applied$.pipe(
      filter(({ from }) => from === 'notification'),
      map(({ changes }) => new Set(changes.map(({ address }) => address))),
    ),
    waiting$.pipe(
      switchMap((isWaiting) => (isWaiting ? chainBlocks$ : EMPTY)),
      map(() => sync.addBlock()),
      filter((addresses) => addresses.size > 0),
    ),
  )
}

/** Forgets the mempool transactions of addresses that are no longer polled. */
const endedPolls$ = (commands$: SyncCommands, sync: UnconfirmedSync): Observable<unknown> =>
  commandsOf$(commands$, 'release').pipe(
    map(({ addressSet }) => addressSet),
    filter((set) => pollIntervalOf(set) === Infinity),
    tap((set) => {
      dispatch([set], 'pollEnded')
      sync.forget(set.address)
    }),
  )

/** The shortest poll interval of the subscribers, in ms; Infinity where none polls. */
function pollIntervalOf({ subscribers }: AddressSet): number {
  let shortest = Infinity
  for (const { mempoolInterval } of subscribers) shortest = Math.min(shortest, mempoolInterval || Infinity)
  return shortest
}

/** Emits after each payment submitted by this client. */
const payments$ = ({ responses$ }: PollMempoolDeps): Observable<typeof PAYMENT> =>
  responses$.pipe(
    filter((method) => method === 'submitTransaction' || method === 'submitTransactionReplacement'),
    map(() => PAYMENT),
  )
