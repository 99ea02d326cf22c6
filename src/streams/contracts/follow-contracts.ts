import { pruneRows, putRows, rollbackRows, type ContractRow, type ContractRows } from '../../model/contracts/rows.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { ChainBatch, ChainBlock, ChainContractTransaction } from '../chain/batch.js'
import type { FollowChain } from '../chain/follow-chain.js'
import type { FollowChainOptions } from '../chain/options.js'
import { toIterator } from '../chain/iteration.js'
import { applyTransaction, type ApplyContext } from './apply-transaction.js'
import type { FollowedCovenant } from './followed-covenant.js'

/** One step along the chain: store `cursor` together with the rows. */
export interface ContractBatch extends Omit<ChainBatch, 'blocks'> {
  /**
   * Rows that were created, spent, or whose state became known, as they are now, after those of `rollback` are undone:
   * rows with `createdBy.blueScore` above it are deleted, and `spentBy` above it is null.
   */
  readonly rows: readonly ContractRow[]
  /** The blue score of its last chain block; null where it has none. */
  readonly blueScore: bigint | null
  /** The covenants of which outputs are not known, because their beginning was not read: not an empty balance. */
  readonly incomplete: readonly string[]
}

/** What is known where the chain is followed from. */
export interface RowsAtStart {
  readonly rows: readonly ContractRow[]
  /** The covenants of which rows may be unknown, until the chain shows their genesis. */
  readonly incomplete: readonly string[]
}

/** Batches of contracts, pulled one by one. `return()` and `signal` release everything at once. */
export type ContractBatches = AsyncIterableIterator<ContractBatch, undefined, undefined>

export type FollowContractsOptions = Omit<FollowChainOptions, 'detail'>

export interface FollowContractsDeps {
  readonly followChain: FollowChain
  /** The redeem scripts of own calls. */
  readonly constructed: () => readonly string[]
}

/** What is followed, from which rows and position. */
export interface FollowedStart {
  readonly covenants: readonly FollowedCovenant[]
  readonly start: RowsAtStart
  readonly options: FollowContractsOptions
  /** The row of a spent output that is known, and was not in the UTXO set at the start. */
  readonly recognise: (entry: UtxoEntry) => ContractRow | undefined
}

/**
 * The rows of some covenants along the chain, from rows that are known at its start. Rejects as `followChain` does, and
 * with `ChainRpcError` (`malformed`) for a transaction that no node of the network accepts.
 */
export const iterate = (open: () => Promise<FollowedStart>, deps: FollowContractsDeps): ContractBatches =>
  toIterator(async () => {
    const opened = await open()
    const batches = deps.followChain({ ...opened.options, detail: 'contracts' })
    return {
      batches: follow(batches, opened, deps),
      end: () => void batches.return?.(),
    }
  })

async function* follow(
  batches: AsyncIterable<ChainBatch<ChainBlock<ChainContractTransaction>>>,
  { covenants, start, recognise }: FollowedStart,
  { constructed }: FollowContractsDeps,
): AsyncGenerator<ContractBatch, undefined, undefined> {
  const byId = new Map(covenants.map((covenant) => [covenant.covenantId, covenant]))
  let rows = new Map(putRows(new Map<never, ContractRow>(), start.rows))
  let { incomplete } = start
  let isFirst = true
  for await (const { cursor, rollback, blocks, isLive } of batches) {
    if (rollback !== null) rows = new Map(rollbackRows(rows, rollback.blueScore))
    const changed = new Map(isFirst ? rows : [])
    isFirst = false
    for (const block of blocks)
      applyBlock(rows, changed, block, { covenants: byId, constructed: constructed(), recognise })
    incomplete = incomplete.filter((id) => !hasGenesis(rows, byId.get(id)))
    const blueScore = blocks.at(-1)?.blueScore ?? null
    yield { cursor, rollback, isLive, rows: [...changed.values()], blueScore, incomplete }
    const kept = pruneRows(rows, blueScore ?? 0n)
    if (kept !== rows) rows = new Map(kept)
  }
  return undefined
}

/** Applies a block to the rows of this follower, which nothing else has: each copy would be of all rows. */
function applyBlock(
  rows: Map<OutpointKey, ContractRow>,
  changed: Map<OutpointKey, ContractRow>,
  { hash, blueScore, daaScore, transactions }: ChainBlock<ChainContractTransaction>,
  context: Pick<ApplyContext, 'covenants' | 'constructed' | 'recognise'>,
): void {
  const cause = { blockHash: hash, blueScore }
  for (const transaction of transactions)
    for (const row of applyTransaction(transaction, { ...context, rows, cause, daaScore })) {
      const key = toOutpointKey(row.outpoint)
      rows.set(key, row)
      changed.set(key, row)
    }
}

/** Whether all outputs are known that a covenant began with. */
function hasGenesis(rows: ContractRows, covenant: FollowedCovenant | undefined): boolean {
  const begun = [...rows.values()].filter((row) => row.isGenesis && row.covenantId === covenant?.covenantId)
  return begun.length === covenant?.genesis.outputs.length
}
