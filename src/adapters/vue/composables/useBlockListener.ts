import { computed, type ComputedRef } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { blocks } from '../../../engine/features/blocks.js'
import type { BlockInfo } from '../../../model/block.js'
import { useListening, type Listening } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'

export interface BlockListenerOptions {
  /** Maximum number of blocks. @default 100 */
  readonly maxHistory?: number | undefined
  /** Subscribes on mount, outside a component at once. @default true */
  readonly autoSubscribe?: boolean | undefined
}

export interface UseBlockListenerReturn extends Omit<Listening<unknown>, 'value'> {
  /** Newest first. */
  readonly blocks: ComputedRef<BlockInfo[]>
  /** Empties the history. */
  readonly clear: () => void
}

/** Blocks added to the node's DAG. Each call has its own history. */
export function useBlockListener(options: BlockListenerOptions = {}): UseBlockListenerReturn {
  const { history: createList, placement } = feature(useCore('useBlockListener'), blocks)
  const { autoSubscribe = true, ...historyOptions } = options
  const history = createList(historyOptions)
  const { value, ...listening } = useListening(history, [], autoSubscribe, placement)
  return { ...listening, blocks: computed(() => value.value.slice()), clear: () => history.clear() }
}
