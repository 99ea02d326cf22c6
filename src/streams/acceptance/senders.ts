import { Subject, catchError, concatMap, defer, filter, map, merge, of, share, switchMap, take, takeUntil } from 'rxjs'
import { throwError, type Observable } from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { NodeLink } from '../session/node-link.js'
import { readSenders$, type BlockSenders } from './read-senders.js'
import type { Acceptance } from './phases.js'

/** Who paid for what was accepted, as well as the node can tell. */
export interface Senders {
  /**
   * The addresses that a transaction's inputs came from, each once; [] where the node cannot tell, and for a coinbase.
   * Nodes of 1.1 and later tell all of a block in one question, whose answer is remembered; those of 0.16.1 and later the
   * first input's alone; older ones nothing. Errors with `ChainRpcError` where the node did not answer at all.
   */
  readonly senders$: (transactionId: string, acceptingBlockHash: string) => Observable<readonly string[]>
}

export interface SendersDeps extends Pick<NodeLink, 'call' | 'ended$'> {
  /** What is remembered of the chain; null where nothing is. */
  readonly state: () => Acceptance | null
}

/** Blocks whose senders are remembered. */
const REMEMBERED = 200

export function createSenders({ call, ended$, state }: SendersDeps): Senders {
  const known = new Map<string, BlockSenders>()
  const wanted$ = new Subject<string>()

  const remember = (blocks: ReadonlyMap<string, BlockSenders>): void => {
    for (const [hash, senders] of blocks) known.set(hash, senders)
    for (const hash of [...known.keys()].slice(0, -REMEMBERED)) known.delete(hash)
  }
  const read$ = (hash: string): Observable<Answer> =>
    known.has(hash)
      ? of({ hash, error: null })
      : readSenders$(hash, state()?.chain ?? [], call).pipe(
          map((blocks) => {
            remember(blocks)
            return { hash, error: null }
          }),
          catchError((error: unknown) => of({ hash, error })),
        )
  // One question at a time: its answer tells of all later blocks too, so the next one is mostly answered already.
  const answers$ = wanted$.pipe(concatMap(read$), takeUntil(ended$), share())

  const ofBlock$ = (hash: string): Observable<BlockSenders> =>
    merge(
      answers$.pipe(filter((answer) => answer.hash === hash)),
      defer(() => {
        wanted$.next(hash)
        return []
      }),
    ).pipe(
      take(1),
      switchMap(({ error }) => (error === null ? of(known.get(hash) ?? NOBODY) : throwError(() => error))),
    )

  return {
    senders$: (transactionId, acceptingBlockHash) =>
      ofBlock$(acceptingBlockHash).pipe(
        map((senders) => senders.get(transactionId) ?? []),
        catchError((error: unknown) => {
          if (!isRefusal(error)) throw error
          return firstSender$(transactionId, acceptingBlockHash, call)
        }),
      ),
  }
}

interface Answer {
  readonly hash: string
  /** Null where it was read. */
  readonly error: unknown
}

const NOBODY: BlockSenders = /*#__PURE__*/ new Map()

/** What a node says that has only the older question, or that stumbled over a script without an address in the block. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ChainRpcError && (error.code === 'unsupported' || error.code === 'remote')

/** The address of the first input's coin, from nodes of 0.16.1 and later. */
const firstSender$ = (transactionId: string, hash: string, call: NodeLink['call']): Observable<readonly string[]> =>
  call('getBlock', { hash, includeTransactions: false }).pipe(
    switchMap(({ block }) =>
      call('getUtxoReturnAddress', { txid: transactionId, acceptingBlockDaaScore: block.header.daaScore }),
    ),
    map(({ returnAddress }) => [returnAddress]),
    catchError((error: unknown) => {
      if (!isRefusal(error)) throw error
      return of([]) // a coinbase, a script without an address, a block that is long gone, or a node that is too old
    }),
  )
