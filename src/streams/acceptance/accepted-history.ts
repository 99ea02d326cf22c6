import { EMPTY, Subject, lastValueFrom, map, merge, toArray, type Observable } from 'rxjs'
import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { toHistoryLimit, createHistory, type History } from '../history.js'
import type { NodeLink } from '../session/node-link.js'
import {
  type AcceptanceBatch,
  type AcceptanceChange,
  type AcceptedHistoryOptions,
  type AcceptedTransactionInfo,
  type SendersResolved,
  type TransactionChange,
  toChanges,
} from './acceptance.js'
import { MAX_QUEUED, resolveSenders$, type ResolveDeps } from './accepted-transactions.js'

/** Accepted transactions, newest first, for one consumer; a reverted transaction is removed. */
export interface AcceptedHistory extends History<AcceptedTransactionInfo> {
  /**
   * The sender addresses of a listed transaction, each once; [] where the node does not provide them. Rejects with
   * `ChainError` (`invalid-argument`) for a transaction that is not listed, and as a query does.
   */
  resolveSenderAddresses(transactionId: string): Promise<string[]>
}

export interface AcceptedHistoryDeps extends Pick<NodeLink, 'network$' | 'ended$'>, ResolveDeps {
  /** Hot. */
  readonly batches$: Observable<AcceptanceBatch>
  /** Hot: the same one by one, subscribed with `includeSenderAddresses`. */
  readonly changes$: Observable<AcceptanceChange>
}

type HistoryEvent = AcceptanceChange | SendersResolved

/** Creates a list. Throws `ChainError` (`invalid-argument`) for an invalid `maxHistory` and an unknown option. */
export function createAcceptedHistory(options: AcceptedHistoryOptions, deps: AcceptedHistoryDeps): AcceptedHistory {
  refuseUnknown(options, ['maxHistory', 'includeSenderAddresses'])
  const { maxHistory, includeSenderAddresses = false } = options
  const limit = toHistoryLimit(maxHistory)
  const requested$ = new Subject<SendersResolved>()
  const { batches$, changes$ } = deps
  const resolved$ = includeSenderAddresses ? resolveSenders$(changes$, Math.min(limit, MAX_QUEUED), deps) : EMPTY
  const history = createHistory<AcceptedTransactionInfo, AcceptanceBatch | SendersResolved>({
    ...deps,
    subject$: deps.network$,
    events$: merge(batches$, resolved$, requested$),
    reduce: (items, events) => reduceBatches(items, events, limit),
  })
  return {
    ...history,
    resolveSenderAddresses: async (transactionId) => {
      const item = history.items().find((one) => one.transactionId === transactionId)
      if (item === undefined) throw invalidArgument('transactionId', `${transactionId} is not in the list`)
      const senderAddresses = await senderAddressesOf(item, deps)
      requested$.next({ ...item, type: 'resolved', senderAddresses })
      return senderAddresses
    },
  }
}

/** The list after some batches. Where they only accept, ids beyond `limit` do not become strings. */
export function reduceBatches(
  items: readonly AcceptedTransactionInfo[],
  events: readonly (AcceptanceBatch | SendersResolved)[],
  limit: number,
): readonly AcceptedTransactionInfo[] {
  const acceptances = events.filter(isAcceptance)
  const changes =
    acceptances.length === events.length ? newestOf(acceptances, limit) : events.flatMap<HistoryEvent>(toEvents)
  return reduceHistory(items, changes, limit)
}

/** The newest `limit` accepted transactions, oldest first. */
function newestOf(batches: readonly AcceptanceBatch[], limit: number): TransactionChange[] {
  const newestFirst: TransactionChange[] = []
  for (const { hash, accepted } of batches.flatMap(({ added }) => added).reverse()) {
    const end = Math.max(0, accepted.length - limit + newestFirst.length)
    for (let at = accepted.length - 1; at >= end; at--)
      newestFirst.push({ type: 'accepted', transactionId: accepted.at(at), acceptingBlockHash: hash })
  }
  return newestFirst.reverse()
}

/** Whether an event is a batch without a rollback. */
const isAcceptance = (event: AcceptanceBatch | SendersResolved): event is AcceptanceBatch =>
  'added' in event && event.rollback === null

const toEvents = (event: AcceptanceBatch | SendersResolved): readonly HistoryEvent[] =>
  'added' in event ? toChanges(event) : [event]

/**
 * The list after some events, newest first, each transaction once. For accepted transactions alone, the usual case, a
 * burst costs no more than the length of the list.
 */
export function reduceHistory(
  items: readonly AcceptedTransactionInfo[],
  events: readonly HistoryEvent[],
  limit: number,
): readonly AcceptedTransactionInfo[] {
  const accepted = events.filter(isAccepted)
  if (accepted.length < events.length) return applyEach(items, events, limit)
  const newest = new Map<string, AcceptedTransactionInfo>()
  for (const item of [...accepted.slice(-limit).reverse().map(toItem), ...items]) {
    if (newest.size < limit && !newest.has(item.transactionId)) newest.set(item.transactionId, item)
  }
  return [...newest.values()]
}

/** Applies every event: a reverted transaction frees a place, and a resolved one may be beyond the limit so far. */
function applyEach(
  items: readonly AcceptedTransactionInfo[],
  events: readonly HistoryEvent[],
  limit: number,
): readonly AcceptedTransactionInfo[] {
  const byId = new Map([...items].reverse().map((item) => [item.transactionId, item]))
  for (const event of events) {
    if (event.type === 'rollback') {
      for (const id of acceptedAfter(byId, event.hash)) byId.delete(id)
      continue
    }
    const { transactionId, acceptingBlockHash } = event
    const isListed = byId.get(transactionId)?.acceptingBlockHash === acceptingBlockHash
    if (event.type === 'resolved') {
      const { senderAddresses } = event
      if (isListed) byId.set(transactionId, { transactionId, acceptingBlockHash, senderAddresses })
      continue
    }
    if (event.type === 'accepted' || isListed) byId.delete(transactionId) // moves to where it was accepted last
    if (event.type === 'accepted') byId.set(transactionId, toItem(event))
  }
  return [...byId.values()].reverse().slice(0, limit)
}

/** What was accepted after a listed block, also further back than reverted transactions are emitted. */
function acceptedAfter(byId: ReadonlyMap<string, AcceptedTransactionInfo>, hash: string): readonly string[] {
  const newestFirst = [...byId.values()].reverse()
  const last = newestFirst.findIndex(({ acceptingBlockHash }) => acceptingBlockHash === hash)
  return newestFirst.slice(0, Math.max(0, last)).map(({ transactionId }) => transactionId)
}

const isAccepted = (event: HistoryEvent): event is TransactionChange => event.type === 'accepted'

const toItem = ({ transactionId, acceptingBlockHash }: TransactionChange): AcceptedTransactionInfo => ({
  transactionId,
  acceptingBlockHash,
  senderAddresses: [],
})

const senderAddressesOf = (
  { transactionId, acceptingBlockHash }: AcceptedTransactionInfo,
  { senders$ }: AcceptedHistoryDeps,
): Promise<string[]> =>
  lastValueFrom(
    senders$(acceptingBlockHash, [transactionId]).pipe(
      toArray(),
      map((results) => results.flatMap((senders) => senders.get(transactionId) ?? [])),
    ),
  )
