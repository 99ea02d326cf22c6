import {
  EMPTY,
  Subject,
  catchError,
  filter,
  from,
  lastValueFrom,
  map,
  merge,
  mergeMap,
  share,
  type Observable,
} from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import { createHistory, type History } from '../history.js'
import { inFrames } from '../in-frames.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptanceChange, AcceptedHistoryOptions, AcceptedTransactionInfo } from './change.js'
import type { Senders } from './senders.js'

/** What was accepted lately, newest first, for one listener; what a reorg takes back leaves the list. */
export interface AcceptedHistory extends History<AcceptedTransactionInfo> {
  /**
   * The addresses that paid for one transaction of the list, each once; [] where the node cannot tell. Rejects with
   * `ChainError` (`invalid-argument`) for a transaction that is not in the list, and as a query does.
   */
  resolveSenderAddresses(transactionId: string): Promise<string[]>
}

export interface AcceptedHistoryDeps extends Pick<NodeLink, 'platform' | 'ended$'>, Senders {
  readonly changes$: Observable<AcceptanceChange>
}

/** Questions for senders that are under way at once, where the node must be asked for each transaction on its own. */
const AT_ONCE = 4

type HistoryEvent = AcceptanceChange | Resolved

/** The senders of a transaction have become known. */
interface Resolved extends AcceptedTransactionInfo {
  readonly type: 'resolved'
}

export function createAcceptedHistory(
  { maxHistory = 100, includeSenderAddresses = false }: AcceptedHistoryOptions,
  deps: AcceptedHistoryDeps,
): AcceptedHistory {
  const { platform, ended$ } = deps
  const changes$ = deps.changes$.pipe(share())
  const asked$ = new Subject<Resolved>()
  const resolved$ = includeSenderAddresses ? resolveAll$(changes$, maxHistory, deps) : EMPTY
  const history = createHistory<AcceptedTransactionInfo, HistoryEvent>({
    events$: merge(changes$, resolved$, asked$),
    reduce: (items, events) => reduceHistory(items, events, maxHistory),
    frames: platform.frames,
    ended$,
  })
  return {
    ...history,
    resolveSenderAddresses: async (transactionId) => {
      const item = history.items().find((one) => one.transactionId === transactionId)
      if (item === undefined) throw invalidArgument('transactionId', `${transactionId} is not in the list`)
      const resolved = await lastValueFrom(resolve$(item, deps))
      asked$.next(resolved)
      return resolved.senderAddresses
    },
  }
}

/** The list after some events, in order. Newest first; a transaction stands in it once. */
export function reduceHistory(
  items: readonly AcceptedTransactionInfo[],
  events: readonly HistoryEvent[],
  maxHistory: number,
): readonly AcceptedTransactionInfo[] {
  const byId = new Map([...items].reverse().map((item) => [item.transactionId, item]))
  for (const event of events) {
    const { transactionId, acceptingBlockHash } = event
    const isListed = byId.get(transactionId)?.acceptingBlockHash === acceptingBlockHash
    if (event.type === 'resolved') {
      const { senderAddresses } = event
      if (isListed) byId.set(transactionId, { transactionId, acceptingBlockHash, senderAddresses })
      continue
    }
    if (event.type === 'accepted' || isListed) byId.delete(transactionId) // to stand where it was accepted last
    if (event.type === 'accepted') byId.set(transactionId, { transactionId, acceptingBlockHash, senderAddresses: [] })
  }
  return [...byId.values()].slice(-maxHistory).reverse()
}

/** The senders of what is accepted, as far as it can still be in the list when they are known. */
const resolveAll$ = (
  changes$: Observable<AcceptanceChange>,
  maxHistory: number,
  deps: AcceptedHistoryDeps,
): Observable<Resolved> =>
  changes$.pipe(
    filter(({ type }) => type === 'accepted'),
    inFrames(deps.platform.frames),
    mergeMap((accepted) => from(accepted.slice(-maxHistory))),
    mergeMap((change) => resolve$(change, deps).pipe(catchError(() => EMPTY)), AT_ONCE), // it can be asked for again
    filter(({ senderAddresses }) => senderAddresses.length > 0),
  )

const resolve$ = (
  { transactionId, acceptingBlockHash }: Pick<AcceptanceChange, 'transactionId' | 'acceptingBlockHash'>,
  { senders$ }: AcceptedHistoryDeps,
): Observable<Resolved> =>
  senders$(transactionId, acceptingBlockHash).pipe(
    map((senders) => ({ type: 'resolved', transactionId, acceptingBlockHash, senderAddresses: [...senders] })),
  )
