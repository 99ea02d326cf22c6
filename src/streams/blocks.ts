import { Subject, map, share, takeUntil, timer, type Observable } from 'rxjs'
import type { BlockInfo } from '../model/block-info.js'
import { toBlockInfo } from '../node/block-info.js'
import type { Gap } from './acceptance/change.js'
import { followBlocks$, type FollowBlocksDeps } from './follow-blocks.js'
import { atMost, createHistory, type History } from './history.js'
import { createPlacement, type Placement } from './placement.js'
import type { NodeLink } from './session/node-link.js'

/** How long, in ms, the place in the DAG is kept after the last listener: one that comes back at once has missed nothing. */
const LINGER = 1_000

/** Blocks as the node adds them to its DAG. */
export interface Blocks {
  /**
   * Every block since the first listener came, once, in the node's order; what came during an outage follows once it is
   * over, and what could not be read, or is too much, is in `gaps$`. Hot and shared; replays nothing, never errors, completes
   * with the engine. Source: the node's `block-added`, subscribed to while anyone listens, and `getBlocks` after an outage.
   */
  readonly blocks$: Observable<BlockInfo>
  /**
   * What is missing from `blocks$`. Hot and shared; replays nothing, never errors, completes with the engine; asks the
   * node for nothing.
   */
  readonly gaps$: Observable<Gap>
  /**
   * The newest blocks, newest first, at most `maxHistory` (100) of them. Each call makes a list of its own. Throws
   * `ChainError` (`invalid-argument`) for a `maxHistory` that is no count.
   */
  readonly history: (options?: { readonly maxHistory?: number | undefined }) => History<BlockInfo>
  /** Whether the node tells of blocks. */
  readonly placement: Placement
}

export type BlocksDeps = Omit<FollowBlocksDeps, 'onGap'> & Pick<NodeLink, 'want' | 'ended$'>

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
    history: ({ maxHistory } = {}) => createBlockHistory(blocks$, atMost(maxHistory), node),
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
