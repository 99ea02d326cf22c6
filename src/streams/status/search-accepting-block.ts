import { defer, retry, type Observable } from 'rxjs'
import { withinBudget, type Budget } from '../look-back-budget.js'
import type { NodeLink } from '../session/node-link.js'
import type { FindAcceptingBlock } from './find-accepting-block.js'
import type { StatusState } from './reduce-status.js'
import { laterReads$ } from './watch-mempool.js'

/** Searches for an accepting block, at most, and the budget of each: about seven requests are usual. */
const MAX_SEARCHES = 10
const SEARCH_BUDGET: Budget = { requests: 30, time: 60_000 }

export interface SearchDeps extends Pick<NodeLink, 'call' | 'platform'> {
  /** Finds the block that accepted a transaction before the subscription. */
  readonly findAcceptingBlock: FindAcceptingBlock
}

/**
 * The block that has accepted a transaction; completes without a value if there is none. Where the node does not
 * respond, it is searched again after the next mempool read. Errors where that fails too often.
 */
export const searchAcceptingBlock$ = (
  id: string,
  state$: Observable<StatusState>,
  { call, findAcceptingBlock, platform }: SearchDeps,
): Observable<string> =>
  defer(() => findAcceptingBlock(id, withinBudget(call, SEARCH_BUDGET, platform))).pipe(
    retry({ count: MAX_SEARCHES - 1, delay: () => laterReads$(state$) }),
  )
