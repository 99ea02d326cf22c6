import { Subject, map, share, takeUntil, timer, type Observable } from 'rxjs'
import { refuseUnknown } from '../errors/chain-error.js'
import type { BlockInfo } from '../model/block.js'
import { toBlockInfo } from '../node/block-info.js'
import type { Gap } from './acceptance/change.js'
import { followBlocks$, type FollowBlocksDeps } from './follow-blocks.js'
import { toHistoryLimit, createHistory, type History } from './history.js'
import { createPlacement, type Placement } from './placement.js'
import type { NodeLink } from './session/node-link.js'

/**
 * How long, in ms, the position in the DAG is kept after the last subscriber, so that an immediate resubscription has
 * no gap.
 */
const LINGER = 1_000

/** Blocks as the node adds them to its DAG. */
export interface Blocks {
  /**
   * Every block since the first subscription, once, in the node's order. Blocks of an outage are backfilled after it;
   * those that could not be fetched, or are too many, are reported in `gaps$`. Hot and shared; replays nothing, never
   * errors, completes with the engine. Source: `block-added`, subscribed while there are subscribers, and `getBlocks`
   * after an outage.
   */
  readonly blocks$: Observable<BlockInfo>
  /**
   * What is missing from `blocks$`. Hot and shared; replays nothing, never errors, completes with the engine; sends no
   * requests.
   */
  readonly gaps$: Observable<Gap>
  /**
   * The newest blocks, newest first, at most `maxHistory` (100). Each call creates a list. Throws `ChainError`
   * (`invalid-argument`) for an invalid `maxHistory`.
   */
  readonly history: (options?: { readonly maxHistory?: number | undefined }) => History<BlockInfo>
  /** Whether `block-added` is subscribed at the node. */
  readonly placement: Placement
}

export type BlocksDeps = Omit<FollowBlocksDeps, 'onGap'> & Pick<NodeLink, 'acquire' | 'ended$'>

export function createBlocks(node: BlocksDeps): Blocks {
  const { ended$, platform } = node
  const gaps$ = new Subject<Gap>()
  ended$.subscribe(() => gaps$.complete())
  const blocks$ = followBlocks$({ ...node, onGap: (gap) => gaps$.next(gap) }).pipe(
    map(toBlockInfo),
    takeUntil(ended$),
    share({ resetOnRefCountZero: () => timer(LINGER, platform.scheduler) }),
  )
  return {
    blocks$,
    gaps$: gaps$.asObservable(),
    history: (options = {}) => {
      refuseUnknown(options, ['maxHistory'])
      return createBlockHistory(blocks$, toHistoryLimit(options.maxHistory), node)
    },
    placement: createPlacement(node, { type: 'block-added' }),
  }
}

const createBlockHistory = (blocks$: Observable<BlockInfo>, limit: number, node: BlocksDeps): History<BlockInfo> =>
  createHistory<BlockInfo, BlockInfo>({
    ...node,
    events$: blocks$,
    subject$: node.network$,
    reduce: (items, batch) => [...[...batch].reverse(), ...items].slice(0, limit),
  })
