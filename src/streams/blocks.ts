import type { Observable } from 'rxjs'
import type { BlockInfo } from '../model/block-info.js'

/** A list of the blocks that arrived lately, for one listener. */
export interface BlockHistory {
  /** Newest first, at most `maxHistory`. Hot and shared, replays the current list, at most one emission a frame. */
  readonly state$: Observable<readonly BlockInfo[]>
  clear(): void
}

/** Blocks as the node adds them to its DAG. */
export interface Blocks {
  /** Every block once, as it arrives. Hot and shared; replays nothing, never errors, completes with the engine. */
  readonly blocks$: Observable<BlockInfo>
  history(options?: { readonly maxHistory?: number | undefined }): BlockHistory
}
