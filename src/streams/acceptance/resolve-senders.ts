import { EMPTY, catchError, filter, mergeMap, type Observable } from 'rxjs'
import { inFrames } from '../in-frames.js'
import { newestInTurn } from '../newest-in-turn.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptanceChange, SendersResolved } from './change.js'
import type { Senders } from './senders.js'

export type ResolveDeps = Senders & Pick<NodeLink, 'platform'>

/** Transactions whose senders may wait to be asked for, at most: what waits is held in memory. */
export const BACKLOG = 100_000

/**
 * The senders of what is accepted, as they become known. Block by block: an answer mostly tells of the next blocks, too.
 * What the node did not tell is passed over, and so is, where the node is slower than the chain, what has the newest
 * `limit` before it; all that can be asked for again.
 */
export const resolveSenders$ = (
  changes$: Observable<AcceptanceChange>,
  limit: number,
  { senders$, platform }: ResolveDeps,
): Observable<SendersResolved> =>
  changes$.pipe(
    filter(({ type }) => type === 'accepted'),
    inFrames(platform.frames),
    mergeMap((accepted) => byBlock(accepted.slice(Math.max(0, accepted.length - limit)))),
    newestInTurn(
      limit,
      ([, ids]) => ids.length,
      ([hash, ids]) =>
        senders$(hash, ids).pipe(
          mergeMap((senders) => toResolved(hash, ids, senders)),
          catchError(() => EMPTY), // the node did not answer: the connection tells of that
        ),
    ),
  )

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

/** Transactions by the block that accepted them, in order. */
function byBlock(changes: readonly AcceptanceChange[]): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, string[]>()
  for (const { acceptingBlockHash, transactionId } of changes) {
    const ids = blocks.get(acceptingBlockHash)
    if (ids === undefined) blocks.set(acceptingBlockHash, [transactionId])
    else ids.push(transactionId)
  }
  return blocks
}
