import { invalidArgument } from '../errors/chain-error.js'
import { partsOf } from '../engine/core-parts.js'
import type { ChainEngine } from '../engine/engine.js'
import { loadCode } from '../loading/load-code.js'
import { putRows, rollbackRows, type ContractRow, type ContractRows } from '../model/contracts/rows.js'
import { iterate, type ContractBatches } from '../streams/contracts/follow-contracts.js'
import type { FollowChainOptions } from '../streams/chain/options.js'
import type { InstanceStore } from './instance-store.js'
import { readRows, recogniserOf, storedRows, type StartedCovenant } from '../streams/contracts/start-rows.js'

/** Follows covenants from a cursor, or from what the UTXO set has once there is a connection. */
export const followCovenants = (
  engine: ChainEngine,
  covenants: readonly StartedCovenant[],
  options: Omit<FollowChainOptions, 'detail'>,
  constructed: () => readonly string[],
): ContractBatches =>
  iterate(
    async (returned) => {
      if (covenants.length === 0) throw invalidArgument('instances', '"instances" must be a list, not empty')
      const isPlaced = options.cursor !== undefined || (options.from ?? 'sink') !== 'sink'
      if (isPlaced) return { covenants, start: storedRows(covenants), options, recognise: () => undefined }
      const core = partsOf(engine)
      const { readConnected } = await loadCode(() => import('../streams/chain/follow-chain.js'))
      const read = () => readRows(covenants, engine.rpc, core.network())
      const { from, ...start } = await readConnected(core, read, [options.signal, returned])
      return { covenants, start, options: { ...options, from }, recognise: recogniserOf(covenants) }
    },
    { followChain: engine.followChain, constructed },
  )

/**
 * Keeps the store of an instance in step with the chain, until the signal aborts: from where it was followed to, or
 * else from its beginning. Rejects as `followChain` does.
 */
export async function followInstance(
  engine: ChainEngine,
  store: InstanceStore,
  { from, snapshot }: { readonly from?: string | undefined; readonly snapshot?: StartedCovenant['snapshot'] },
  signal: AbortSignal,
): Promise<void> {
  const { contract, covenantId } = store.target
  const { cursor, rows: known } = store.progress$.value
  const covenant = { contract, covenantId, genesis: store.genesis, own: store.left() }
  const [started, options, first] =
    cursor === null
      ? [{ ...covenant, snapshot }, { from, signal }, new Map<never, ContractRow>()]
      : [{ ...covenant, snapshot: [...known.values()] }, { cursor, signal }, known]
  let rows: ContractRows = first
  let isFirst = true
  for await (const batch of followCovenants(engine, [started], options, store.constructed)) {
    if (batch.rollback !== null) rows = rollbackRows(rows, batch.rollback.blueScore, batch.rollback.daaScore)
    rows = putRows(rows, batch.rows)
    const { isLive, incomplete, blueScore } = batch
    const isIncomplete = incomplete.length > 0
    const isFurther = isLive && blueScore !== null
    const change = { rows: batch.rows, isReset: isFirst || batch.rollback !== null }
    isFirst = false
    store.followed(rows, change, { isLive, isIncomplete, isFurther, cursor: isIncomplete ? null : batch.cursor })
  }
}
