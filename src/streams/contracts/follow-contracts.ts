import type { ChainBatch } from '../chain/batch.js'
import type { FollowChain } from '../chain/follow-chain.js'
import { toIterator } from '../chain/iteration.js'
import type { FollowChainOptions } from '../chain/options.js'
import { followRows, type FollowRowsOptions, type OpenedRows, type RowChanges } from './follow-rows.js'
import type { FollowedCovenant } from './apply-transaction.js'

/** One step along the chain: store `cursor` together with the rows. */
export interface ContractBatch extends Omit<ChainBatch, 'blocks'>, RowChanges {}

/** Batches of contracts, pulled one by one. `return()` and `signal` release everything at once. */
export type ContractBatches = AsyncIterableIterator<ContractBatch, undefined, undefined>

export type FollowContractsOptions = Omit<FollowChainOptions, 'detail'>

export interface FollowContractsDeps extends Pick<FollowRowsOptions<never>, 'constructed'> {
  readonly followChain: FollowChain
}

/** What is followed, from which rows and position. */
export interface FollowedStart extends OpenedRows {
  readonly covenants: readonly FollowedCovenant[]
  readonly options: FollowContractsOptions
}

/**
 * The rows of some covenants along the chain, from those that `open` resolves to; its signal is that of `return()`.
 * Rejects as `open` and `followChain` do, and with `ChainRpcError` (`malformed`) for a transaction that no
 * node of the network accepts.
 */
export const iterate = (
  open: (returned: AbortSignal) => Promise<FollowedStart>,
  { followChain, constructed }: FollowContractsDeps,
): ContractBatches =>
  toIterator(async (returned) => {
    const { covenants, options, ...opened } = await open(returned)
    const batches = followChain({ ...options, detail: 'contracts' })
    return {
      batches: followRows(batches, { covenants, constructed, open: () => opened }),
      end: () => void batches.return?.(),
    }
  })
