import { map, share, type Observable } from 'rxjs'
import type { BlockInfo } from '../model/block-info.js'
import { toBlockInfo } from '../node/block-info.js'
import { createHistory, type History } from './history.js'
import { onceEach } from './once-each.js'
import type { NodeLink } from './session/node-link.js'

/** Blocks as the node adds them to its DAG. */
export interface Blocks {
  /**
   * Every block that arrives while connected, once, in the node's order. Hot and shared; replays nothing, never errors,
   * completes with the engine. The node is subscribed to `block-added` while anyone listens.
   */
  readonly blocks$: Observable<BlockInfo>
  /** The newest blocks, newest first, at most `maxHistory` (100) of them. Each call makes a list of its own. */
  history(options?: { readonly maxHistory?: number | undefined }): History<BlockInfo>
}

export function createBlocks(node: Pick<NodeLink, 'events$' | 'ended$' | 'platform'>): Blocks {
  const blocks$ = node.events$('block-added').pipe(
    map(({ data }) => toBlockInfo(data.block)),
    onceEach(({ hash }) => hash),
    share(),
  )
  return {
    blocks$,
    history: ({ maxHistory = 100 } = {}) =>
      createHistory<BlockInfo, BlockInfo>({
        events$: blocks$,
        reduce: (items, batch) => [...[...batch].reverse(), ...items].slice(0, maxHistory),
        frames: node.platform.frames,
        ended$: node.ended$,
      }),
  }
}
