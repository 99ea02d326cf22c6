import { timer } from 'rxjs'
import { partsOf } from '../engine/core-parts.js'
import type { ChainEngine } from '../engine/engine.js'
import { ChainError } from '../errors/chain-error.js'
import { abort$ } from '../loading/abortable.js'
import { putRows, rollbackRows, type ContractRow, type ContractRows } from '../model/contracts/rows.js'
import { toOutpointKey } from '../model/utxo.js'
import type { CallTarget, SuccessorSearch } from '../operations/contracts/contract-call.js'
import type { FollowedCovenant } from '../streams/contracts/apply-transaction.js'
import { followCovenants } from './follow.js'
import { toKnown } from './unspent-rows.js'

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
