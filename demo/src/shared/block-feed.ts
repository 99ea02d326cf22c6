import { Subject, type Observable } from 'rxjs'
import { useRpc, useRpcEvent, type RpcBlock } from 'vue-chain'
import { inject, provide, watch, type InjectionKey } from 'vue'

/** Blocks that arrived together. `recent`: these are all of late, oldest first, some known before; told after each connect. */
export interface BlockBatch {
  readonly type: 'added' | 'recent'
  readonly blocks: readonly RpcBlock[]
}

const FEED: InjectionKey<Observable<BlockBatch>> = Symbol('block feed')

/** How many generations back one looks when a connection stands, at most. */
const REACH = 24

/** Lets all components below hear every block, also those that were missed while there was no connection. */
export function provideBlockFeed(): void {
  const { isConnected, getSink, getBlocks } = useRpc()
  const feed$ = new Subject<BlockBatch>()
  let newest: string | undefined

  function tell(type: BlockBatch['type'], blocks: readonly RpcBlock[]): void {
    newest = blocks.at(-1)?.header.hash ?? newest
    feed$.next({ type, blocks })
  }

  /** Walks back from the sink, until it meets the newest block that was known before. */
  async function lookBack(known: string | undefined): Promise<readonly RpcBlock[]> {
    let lowHash: string | undefined = (await getSink()).sink
    let blocks: readonly RpcBlock[] = []
    for (let step = 0; step < REACH && lowHash !== undefined; step++) {
      const from: string = lowHash
      blocks = (await getBlocks({ lowHash: from, includeBlocks: true, includeTransactions: true })).blocks
      lowHash = from === known ? undefined : parentOf(blocks.find(({ header }) => header.hash === from))
    }
    return blocks
  }

  useRpcEvent('block-added', ({ data }) => tell('added', [data.block]))
  // Should the connection drop while one looks back, the next one begins again.
  watch(
    isConnected,
    (now) =>
      now &&
      void lookBack(newest).then(
        (blocks) => tell('recent', blocks),
        () => undefined,
      ),
    {
      immediate: true,
    },
  )
  provide(FEED, feed$)
}

/** The feed of the page. */
export function useBlockFeed(): Observable<BlockBatch> {
  const feed$ = inject(FEED)
  if (feed$ === undefined) throw new Error('No component above has called provideBlockFeed()')
  return feed$
}

/** The selected parent; genesis has none. */
function parentOf(block: RpcBlock | undefined): string | undefined {
  const isGenesis = (block?.header.parentsByLevel[0] ?? []).length === 0
  return isGenesis ? undefined : block?.verboseData?.selectedParentHash
}
