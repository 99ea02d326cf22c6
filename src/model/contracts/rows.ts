import type { Outpoint, OutpointKey, ScriptPublicKey } from '../utxo.js'
import { toOutpointKey } from '../utxo.js'

/** The transaction that created or spent an output, with the chain block that accepted it. */
export interface RowCause {
  readonly transactionId: string
  readonly blockHash: string
  /** Grows strictly along the chain: what is above the block of a rollback is undone. */
  readonly blueScore: bigint
}

/** What spent an output. */
export interface RowSpend extends RowCause {
  /** The entry that was called; null where the signature script shows none. */
  readonly entry: string | null
  /** As the node reports them: no id covers them. Null where they are not those of the entry. */
  readonly arguments: Readonly<Record<string, unknown>> | null
}

/** An output of a followed covenant. Its key is its outpoint. */
export interface ContractRow<State = unknown> {
  readonly covenantId: string
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly value: bigint
  readonly scriptPublicKey: ScriptPublicKey
  /** Proved by the hash in the script; null where it is not known, and for other programs. */
  readonly state: State | null
  /** Whether it continues outputs that are not known, or of other programs: nothing is derived of it. */
  readonly isForeign: boolean
  /** Whether the covenant began with it. */
  readonly isGenesis: boolean
  /** The DAA score of the block that accepted it, which scripts read. */
  readonly blockDaaScore: bigint
  /** Null for a row of a snapshot, and of the UTXO set at the start. */
  readonly createdBy: RowCause | null
  readonly spentBy: RowSpend | null
}

/** The rows of followed covenants, by outpoint. */
export type ContractRows = ReadonlyMap<OutpointKey, ContractRow>

/** Nodes of all networks accept no chain that leaves theirs below this, in blue score. */
const FINALITY_DEPTH = 432_000n

/** Puts rows in place of those with the same outpoints. */
export function putRows(rows: ContractRows, changed: readonly ContractRow[]): ContractRows {
  if (changed.length === 0) return rows
  const next = new Map(rows)
  for (const row of changed) next.set(toOutpointKey(row.outpoint), row)
  return next
}

/**
 * Undoes what blocks above a blue score have created and spent; with the DAA score of the same block also the rows that
 * the UTXO set had at the start from later blocks.
 */
export function rollbackRows(rows: ContractRows, blueScore: bigint, daaScore?: bigint): ContractRows {
  const next = new Map<OutpointKey, ContractRow>()
  for (const [key, row] of rows) {
    if (isAbove(row.createdBy, blueScore) || isLater(row, daaScore)) continue
    next.set(key, isAbove(row.spentBy, blueScore) ? { ...row, spentBy: null } : row)
  }
  return next
}

/** Drops what was spent so deep that no reorg undoes it. */
export function pruneRows(rows: ContractRows, tip: bigint): ContractRows {
  const isKept = ({ spentBy }: ContractRow): boolean => spentBy === null || tip - spentBy.blueScore <= FINALITY_DEPTH
  for (const row of rows.values()) if (!isKept(row)) return new Map([...rows].filter(([, one]) => isKept(one)))
  return rows
}

const isAbove = (cause: RowCause | null, blueScore: bigint): boolean => cause !== null && cause.blueScore > blueScore

/** Whether a row of the UTXO set at the start was accepted after a block. */
export const isLater = ({ createdBy, blockDaaScore }: ContractRow, daaScore: bigint | undefined): boolean =>
  createdBy === null && daaScore !== undefined && blockDaaScore > daaScore
