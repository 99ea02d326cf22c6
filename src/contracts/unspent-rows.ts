import type { ContractRow, ContractRows } from '../model/contracts/rows.js'
import type { KnownOutput } from '../model/contracts/pending-call.js'
import { toOutpointKey, type OutpointKey } from '../model/utxo.js'

/** What a batch has changed of the rows of an instance. */
export interface RowChange {
  readonly rows: readonly ContractRow[]
  /** Whether others may have changed too: after a rollback, and where the following begins. */
  readonly isReset: boolean
}

/** What is unspent of the rows of an instance, which may be ten thousand: a batch costs what it changes of them. */
interface UnspentRows {
  /** The unspent outputs after a batch; the same array where nothing has changed. */
  readonly apply: (rows: ContractRows, change: RowChange) => readonly KnownOutput[]
}

export function createUnspentRows(): UnspentRows {
  const unspent = new Map<OutpointKey, KnownOutput>()
  let outputs: readonly KnownOutput[] = []
  return {
    apply: (rows, change) => {
      if (change.isReset) unspent.clear()
      else if (change.rows.length === 0) return outputs
      for (const row of change.isReset ? rows.values() : change.rows) {
        if (isUnspent(row)) unspent.set(toOutpointKey(row.outpoint), toKnown(row))
        else unspent.delete(toOutpointKey(row.outpoint))
      }
      outputs = [...unspent.values()]
      return outputs
    },
  }
}

export const isUnspent = ({ spentBy, isForeign }: ContractRow): boolean => spentBy === null && !isForeign

/** An unspent row. */
export const toKnown = ({ outpoint, value, state }: ContractRow): KnownOutput => ({ outpoint, value, state, depth: 0 })
