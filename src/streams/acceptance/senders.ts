import { ReplaySubject, catchError, defer, finalize, map, of, share, throwError, type Observable } from 'rxjs'
import { isRefusal } from '../ask-again.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptanceStreams } from './acceptance.js'
import type { Chain } from './chain.js'
import { firstSenders$ } from './first-senders.js'
import { readSenders$, type BlockSenders } from './read-senders.js'

/** Who paid for what was accepted, as well as the node can tell. */
export interface Senders {
  /**
   * The addresses that the inputs of some transactions came from, each address once, by transaction id; all together or
   * one by one as they become known. One that the node cannot tell of, such as a coinbase, is missing or has none.
   * Nodes of 1.1 and later tell all of a chain block in one question, whose answer is remembered; those of 0.16.1 and
   * later the first input's alone; older ones nothing. Errors with `ChainRpcError` where the node did not answer at all.
   */
  readonly senders$: (acceptingBlockHash: string, transactionIds: readonly string[]) => Observable<BlockSenders>
}

export type SendersDeps = Pick<NodeLink, 'call'> & Pick<AcceptanceStreams, 'chains'>

/** Chain blocks whose senders are remembered. */
const REMEMBERED = 200

export function createSenders({ call, chains }: SendersDeps): Senders {
  const known = new Map<string, BlockSenders>()
  const asking = new Map<string, Observable<BlockSenders>>()

  const remember = (asked: string, blocks: ReadonlyMap<string, BlockSenders>): BlockSenders => {
    const senders = blocks.get(asked)
    for (const [hash, others] of blocks) known.set(hash, others)
    for (const hash of [...known.keys()].slice(0, -REMEMBERED)) known.delete(hash)
    return senders ?? NOBODY
  }
  /** A chain in which a block is remembered, and the one before it; none where neither is. */
  const chainOf = (hash: string): Chain =>
    chains().find((chain) => chain.findIndex((block) => block.hash === hash) > 0) ?? []
  /** Whoever asks for the same block while the node is being asked for it shares the answer. */
  const ask = (hash: string): Observable<BlockSenders> => {
    const answer$ = readSenders$(hash, chainOf(hash), call).pipe(
      map((blocks) => remember(hash, blocks)),
      finalize(() => asking.delete(hash)),
      share({ connector: () => new ReplaySubject<BlockSenders>(1) }),
    )
    asking.set(hash, answer$)
    return answer$
  }
  return {
    senders$: (hash, transactionIds) =>
      defer(() => {
        const senders = known.get(hash)
        return senders === undefined ? (asking.get(hash) ?? ask(hash)) : of(senders)
      }).pipe(
        catchError((error: unknown) =>
          isRefusal(error) ? firstSenders$(hash, transactionIds, call) : throwError(() => error),
        ),
      ),
  }
}

/** A block that has left the chain before it was asked for. It may come back, so that is not remembered. */
const NOBODY: BlockSenders = /*#__PURE__*/ new Map()
