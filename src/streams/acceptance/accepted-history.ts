import { EMPTY, Subject, lastValueFrom, map, merge, toArray, type Observable } from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import { atMost, createHistory, type History } from '../history.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptanceChange, AcceptedHistoryOptions, AcceptedTransactionInfo, SendersResolved } from './change.js'
import { BACKLOG, resolveSenders$, type ResolveDeps } from './resolve-senders.js'

/** What was accepted lately, newest first, for one listener; what a reorg takes back leaves the list. */
export interface AcceptedHistory extends History<AcceptedTransactionInfo> {
  /**
   * The addresses that paid for one transaction of the list, each once; [] where the node cannot tell. Rejects with
   * `ChainError` (`invalid-argument`) for a transaction that is not in the list, and as a query does.
   */
  resolveSenderAddresses(transactionId: string): Promise<string[]>
}

export interface AcceptedHistoryDeps extends Pick<NodeLink, 'network$' | 'ended$'>, ResolveDeps {
  /** Hot: two may listen. */
  readonly changes$: Observable<AcceptanceChange>
}

type HistoryEvent = AcceptanceChange | SendersResolved

/** Makes a list. Throws `ChainError` (`invalid-argument`) for a `maxHistory` that is no count. */
export function createAcceptedHistory(
  { maxHistory, includeSenderAddresses = false }: AcceptedHistoryOptions,
  deps: AcceptedHistoryDeps,
): AcceptedHistory {
  const limit = atMost(maxHistory)
  const asked$ = new Subject<SendersResolved>()
  const { changes$ } = deps
  const resolved$ = includeSenderAddresses ? resolveSenders$(changes$, Math.min(limit, BACKLOG), deps) : EMPTY
  const history = createHistory<AcceptedTransactionInfo, HistoryEvent>({
    ...deps,
    subject$: deps.network$,
    events$: merge(changes$, resolved$, asked$),
    reduce: (items, events) => reduceHistory(items, events, limit),
  })
  return {
    ...history,
    resolveSenderAddresses: async (transactionId) => {
      const item = history.items().find((one) => one.transactionId === transactionId)
      if (item === undefined) throw invalidArgument('transactionId', `${transactionId} is not in the list`)
      const senderAddresses = await senderAddressesOf(item, deps)
      asked$.next({ ...item, type: 'resolved', senderAddresses })
      return senderAddresses
    },
  }
}

/**
 * The list after some events, in order. Newest first; a transaction stands in it once. Where transactions are only accepted,
 * as nearly always, a burst costs no more than the list is long.
 */
export function reduceHistory(
  items: readonly AcceptedTransactionInfo[],
  events: readonly HistoryEvent[],
  limit: number,
): readonly AcceptedTransactionInfo[] {
  if (events.some(({ type }) => type !== 'accepted')) return replay(items, events, limit)
  const newest = new Map<string, AcceptedTransactionInfo>()
  for (const item of [...events.slice(-limit).reverse().map(toItem), ...items]) {
    if (newest.size < limit && !newest.has(item.transactionId)) newest.set(item.transactionId, item)
  }
  return [...newest.values()]
}

/** What a reorg takes back makes room, and who paid is said of what may be further down: then every event counts. */
function replay(
  items: readonly AcceptedTransactionInfo[],
  events: readonly HistoryEvent[],
  limit: number,
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
    if (event.type === 'accepted') byId.set(transactionId, toItem(event))
  }
  return [...byId.values()].reverse().slice(0, limit)
}

const toItem = ({ transactionId, acceptingBlockHash }: HistoryEvent): AcceptedTransactionInfo => ({
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
      map((answers) => answers.flatMap((senders) => senders.get(transactionId) ?? [])),
    ),
  )
