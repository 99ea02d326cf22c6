import { invalidArgument } from '../errors/chain-error.js'
import { partsOf } from '../engine/core-parts.js'
import type { ChainEngine } from '../engine/engine.js'
import { putRows, rollbackRows, type ContractRow, type ContractRows } from '../model/contracts/rows.js'
import { iterate, type ContractBatches } from '../streams/contracts/follow-contracts.js'
import type { FollowChainOptions } from '../streams/chain/options.js'
import type { InstanceStore } from './instance-store.js'
import { readRows, recogniserOf, storedRows, type StartedCovenant } from './start-rows.js'

/** Follows covenants from a cursor, or from what the UTXO set has now. */
export const followCovenants = (
  engine: ChainEngine,
  covenants: readonly StartedCovenant[],
  options: Omit<FollowChainOptions, 'detail'>,
  constructed: () => readonly string[],
): ContractBatches =>
  iterate(
    async () => {
      if (covenants.length === 0) throw invalidArgument('instances', '"instances" must be a list, not empty')
      const isPlaced = options.cursor !== undefined || (options.from !== undefined && options.from !== 'sink')
      if (isPlaced) return { covenants, start: storedRows(covenants), options, recognise: () => undefined }
      const { from, ...start } = await readRows(covenants, engine, partsOf(engine).network())
      return { covenants, start, options: { ...options, from }, recognise: recogniserOf(covenants) }
    },
    { followChain: engine.followChain, constructed },
  )

/** Keeps the store of an instance in step with the chain, until the signal aborts. Rejects as `followChain` does. */
export async function followInstance(
  engine: ChainEngine,
  store: InstanceStore,
  { from, snapshot }: { readonly from?: string | undefined; readonly snapshot?: StartedCovenant['snapshot'] },
  signal: AbortSignal,
): Promise<void> {
  const { contract, covenantId } = store.target
  const covenant = { contract, covenantId, genesis: store.genesis, snapshot, own: store.left() }
  let rows: ContractRows = new Map<never, ContractRow>()
  for await (const batch of followCovenants(engine, [covenant], { from, signal }, store.constructed)) {
    if (batch.rollback !== null) rows = rollbackRows(rows, batch.rollback.blueScore)
    rows = putRows(rows, batch.rows)
    const { isLive, incomplete, blueScore } = batch
    store.followed(rows, { isLive, isIncomplete: incomplete.length > 0, isFurther: isLive && blueScore !== null })
  }
}
