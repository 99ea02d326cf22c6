import { ReplaySubject, catchError, defer, finalize, map, of, share, throwError, type Observable } from 'rxjs'
import { isRefusal } from '../retry-with-backoff.js'
import { withinBudget, type Budget } from '../look-back-budget.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptanceStreams } from './acceptance.js'
import type { AcceptingBlock } from './change.js'
import { firstSenders$ } from './first-senders.js'
import { readSenders$, type BlockSenders } from './read-senders.js'

/** Sender addresses of accepted transactions, as far as the node provides them. */
export interface Senders {
  /**
   * The input addresses of some transactions, each once, by transaction id; all at once or one by one as resolved. A
   * transaction without known senders, such as a coinbase, is missing or has none. Nodes from 1.1 return a whole chain
   * block per request, which is cached; nodes from 0.16.1 only the first input's address; older ones nothing. Errors
   * with `ChainRpcError` if the node did not respond.
   */
  readonly senders$: (acceptingBlockHash: string, transactionIds: readonly string[]) => Observable<BlockSenders>
}

export type SendersDeps = Pick<NodeLink, 'call' | 'platform'> & Pick<AcceptanceStreams, 'chains'>

/** Chain blocks whose senders are cached. */
const MAX_CACHED_BLOCKS = 200

/** Of one block where each transaction is requested separately. */
const BUDGET: Budget = { requests: 2_000, time: 60_000 }

export function createSenders({ call, chains, platform }: SendersDeps): Senders {
  const cached = new Map<string, BlockSenders>()
  const inFlight = new Map<string, Observable<BlockSenders>>()

  const cache = (requestedHash: string, blocks: ReadonlyMap<string, BlockSenders>): BlockSenders => {
    const senders = blocks.get(requestedHash)
    for (const [hash, others] of blocks) cached.set(hash, others)
    for (const hash of [...cached.keys()].slice(0, -MAX_CACHED_BLOCKS)) cached.delete(hash)
    return senders ?? NO_SENDERS
  }
  /** A chain that remembers a block and the one before it; otherwise an empty one. */
  const chainOf = (hash: string): readonly AcceptingBlock[] =>
    chains().find((chain) => chain.findIndex((block) => block.hash === hash) > 0) ?? []
  /** Concurrent requests of one block share the response. */
  const fetch$ = (hash: string): Observable<BlockSenders> => {
    const response$ = readSenders$(hash, chainOf(hash), call).pipe(
      map((blocks) => cache(hash, blocks)),
      finalize(() => inFlight.delete(hash)),
      share({ connector: () => new ReplaySubject<BlockSenders>(1) }),
    )
    inFlight.set(hash, response$)
    return response$
  }
  return {
    senders$: (hash, transactionIds) =>
      defer(() => {
        const senders = cached.get(hash)
        return senders === undefined ? (inFlight.get(hash) ?? fetch$(hash)) : of(senders)
      }).pipe(
        catchError((error: unknown) =>
          isRefusal(error)
            ? firstSenders$(hash, transactionIds, withinBudget(call, BUDGET, platform))
            : throwError(() => error),
        ),
      ),
  }
}

/** For a block that has left the chain. Not cached, since it may rejoin. */
const NO_SENDERS: BlockSenders = /*#__PURE__*/ new Map()
