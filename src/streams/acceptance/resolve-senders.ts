import { EMPTY, catchError, filter, mergeMap, type Observable } from 'rxjs'
import { inFrames } from '../in-frames.js'
import { boundedConcatMap } from '../bounded-concat-map.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptanceChange, SendersResolved, TransactionChange } from './change.js'
import type { Senders } from './senders.js'

export type ResolveDeps = Senders & Pick<NodeLink, 'platform'>

/** Transactions queued for sender resolution, at most: the queue is held in memory. */
export const MAX_QUEUED = 100_000

/**
 * The senders of accepted transactions, block by block, because one response mostly covers the next blocks too. Skips
 * what the node does not provide; where the node is slower than the chain, skips all but the newest `limit`. Both can
 * be requested later.
 */
export const resolveSenders$ = (
  changes$: Observable<AcceptanceChange>,
  limit: number,
  { senders$, platform }: ResolveDeps,
): Observable<SendersResolved> =>
  changes$.pipe(
    filter(isAccepted),
    inFrames(platform.frames),
    mergeMap((accepted) => byBlock(accepted.slice(Math.max(0, accepted.length - limit)))),
    boundedConcatMap(
      limit,
      ([, ids]) => ids.length,
      ([hash, ids]) =>
        senders$(hash, ids).pipe(
          mergeMap((senders) => toResolved(hash, ids, senders)),
          catchError(() => EMPTY), // no response: reported by the connection state
        ),
    ),
  )

const isAccepted = (change: AcceptanceChange): change is TransactionChange => change.type === 'accepted'

const toResolved = (
  acceptingBlockHash: string,
  transactionIds: readonly string[],
  senders: ReadonlyMap<string, readonly string[]>,
): SendersResolved[] =>
  transactionIds.flatMap((transactionId) => {
    const senderAddresses = [...(senders.get(transactionId) ?? [])]
    return senderAddresses.length === 0
      ? []
      : [{ type: 'resolved' as const, transactionId, acceptingBlockHash, senderAddresses }]
  })

/** Transaction ids by accepting block, in order. */
function byBlock(changes: readonly TransactionChange[]): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, string[]>()
  for (const { acceptingBlockHash, transactionId } of changes) {
    const ids = blocks.get(acceptingBlockHash)
    if (ids === undefined) blocks.set(acceptingBlockHash, [transactionId])
    else ids.push(transactionId)
  }
  return blocks
}
