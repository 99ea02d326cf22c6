import { Subject, type Observable } from 'rxjs'
import { useRpc, useRpcEvent, type RpcBlock } from 'vue-chain'
import { inject, provide, watch, type InjectionKey } from 'vue'

/** A batch of blocks. `recent`: backfilled after each connect, oldest first; some may have been emitted before. */
export interface BlockBatch {
  readonly type: 'added' | 'recent'
  readonly blocks: readonly RpcBlock[]
}

const FEED: InjectionKey<Observable<BlockBatch>> = Symbol('block feed')

/** Maximum depth of the backfill, in generations. */
const MAX_GENERATIONS = 24

/** Provides a block feed to descendant components; blocks added during an outage are backfilled after the reconnect. */
export function provideBlockFeed(): void {
  const { isConnected, getSink, getBlocks } = useRpc()
  const feed$ = new Subject<BlockBatch>()
  let newest: string | undefined

  function emit(type: BlockBatch['type'], blocks: readonly RpcBlock[]): void {
    newest = blocks.at(-1)?.header.hash ?? newest
    feed$.next({ type, blocks })
  }

  /** Reads blocks from the sink back to the newest known block. */
  async function backfill(known: string | undefined): Promise<readonly RpcBlock[]> {
    let lowHash: string | undefined = (await getSink()).sink
    let blocks: readonly RpcBlock[] = []
    for (let step = 0; step < MAX_GENERATIONS && lowHash !== undefined; step++) {
      const from: string = lowHash
      blocks = (await getBlocks({ lowHash: from, includeBlocks: true, includeTransactions: true })).blocks
      lowHash = from === known ? undefined : parentOf(blocks.find(({ header }) => header.hash === from))
    }
    return blocks
  }

  useRpcEvent('block-added', ({ data }) => emit('added', [data.block]))
  // If the connection drops during a backfill, the next connect starts another one.
  watch(
    isConnected,
    (now) =>
      now &&
      void backfill(newest).then(
        (blocks) => emit('recent', blocks),
        () => undefined,
      ),
    {
      immediate: true,
    },
  )
  provide(FEED, feed$)
}

/** The block feed of `provideBlockFeed`. */
export function useBlockFeed(): Observable<BlockBatch> {
  const feed$ = inject(FEED)
  if (feed$ === undefined) throw new Error('provideBlockFeed() was not called in a parent component')
  return feed$
}

/** The selected parent; genesis has none. */
function parentOf(block: RpcBlock | undefined): string | undefined {
  const isGenesis = (block?.header.parentsByLevel[0] ?? []).length === 0
  return isGenesis ? undefined : block?.verboseData?.selectedParentHash
}
