import { invalidArgument, ChainError } from '../errors/chain-error.js'
import { partsOf } from '../engine/core-parts.js'
import type { ChainEngine } from '../engine/engine.js'
import { loadCode } from '../loading/load-code.js'
import { putRows, rollbackRows, type ContractRow, type ContractRows } from '../model/contracts/rows.js'
import { iterate, type ContractBatches } from '../streams/contracts/follow-contracts.js'
import type { FollowChainOptions } from '../streams/chain/options.js'
import type { InstanceStore } from './instance-store.js'
import { readRows, recogniserOf, storedRows, type StartedCovenant } from '../streams/contracts/start-rows.js'
import { timer } from 'rxjs'
import { abort$ } from '../loading/abortable.js'
import { toOutpointKey } from '../model/utxo.js'
import type { CallTarget, SuccessorSearch } from '../operations/contracts/contract-call.js'
import type { FollowedCovenant } from '../streams/contracts/apply-transaction.js'
import { toKnown } from './instance-rows.js'

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

/** Ms that the chain may take to show what spends a state. */
const LIMIT = 60_000

/** See `CallTarget.successorOf`. Of rows that begin with one output, all others descend from it, or are foreign. */
export async function findSuccessor(
  engine: ChainEngine,
  covenant: FollowedCovenant,
  { utxo, state, from, transactionId, signal }: SuccessorSearch,
): ReturnType<CallTarget['successorOf']> {
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  const lifetime = timer(LIMIT, partsOf(engine).platform.scheduler).subscribe(stop)
  if (signal !== undefined) lifetime.add(abort$(signal).subscribe(stop))
  const { outpoint, amount, scriptPublicKey, blockDaaScore } = utxo
  const { covenantId } = covenant
  const output = { covenantId, outpoint, value: amount, scriptPublicKey, state, blockDaaScore }
  const row: ContractRow = { ...output, isForeign: false, isGenesis: false, createdBy: null, spentBy: null }
  const batches = followCovenants(
    engine,
    [{ ...covenant, snapshot: [row] }],
    { from, signal: stopped.signal },
    () => [],
  )
  let rows: ContractRows = new Map<never, ContractRow>()
  try {
    for await (const batch of batches) {
      if (batch.rollback !== null) rows = rollbackRows(rows, batch.rollback.blueScore, batch.rollback.daaScore)
      rows = putRows(rows, batch.rows)
      const spentBy = rows.get(toOutpointKey(outpoint))?.spentBy?.transactionId
      if (spentBy === transactionId) return 'accepted'
      if (batch.isLive && spentBy !== undefined) return unspentOf(rows)
    }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
  } finally {
    lifetime.unsubscribe()
  }
  return undefined
}

const unspentOf = (rows: ContractRows) =>
  [...rows.values()].filter(({ spentBy, isForeign }) => spentBy === null && !isForeign).map(toKnown)
