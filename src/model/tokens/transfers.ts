import type { ContractRow, ContractRows, RowCause } from '../contracts/rows.js'
import { toOutpointKey, type Outpoint } from '../utxo.js'
import { ownerKey, type TokenOwner } from './owner.js'
import type { TokenState } from './token-state.js'

/** Tokens that an owner has received in an output, or spent. Its key is direction and outpoint. */
export interface TokenTransfer {
  readonly direction: 'in' | 'out'
  readonly outpoint: Outpoint
  readonly covenantId: string
  /** 32 bytes, hex. */
  readonly extensionCommitment: string
  readonly owner: TokenOwner
  /** In units of the token. */
  readonly amount: bigint
  /** Sompi that the output holds. */
  readonly value: bigint
  /** The transaction that has created or spent the output, and the chain block that accepted it. */
  readonly cause: RowCause
}

/**
 * The transfers that the rows of a batch show for the first time, in the order of the rows: what a row does not know
 * yet, its state or its block, is a transfer once it does. `before` are the rows that were known, after the rollback.
 */
export function newTransfers(
  before: ContractRows,
  changed: readonly ContractRow[],
  owners: ReadonlyMap<string, TokenOwner>,
): readonly TokenTransfer[] {
  return changed.flatMap((row) => {
    const known = transfersOf(before.get(toOutpointKey(row.outpoint)), owners)
    return transfersOf(row, owners).filter(({ direction }) => !known.some((one) => one.direction === direction))
  })
}

function transfersOf(row: ContractRow | undefined, owners: ReadonlyMap<string, TokenOwner>): readonly TokenTransfer[] {
  if (row === undefined) return []
  const { outpoint, covenantId, value, isForeign, createdBy, spentBy } = row
  const state = row.state as TokenState | null // the program has these fields
  if (state === null || isForeign) return []
  const owner = owners.get(ownerKey(state))
  if (owner === undefined) return []
  const { amount, extension_commitment: extensionCommitment } = state
  const transfer = { outpoint, covenantId, extensionCommitment, owner, amount, value }
  return [
    ...(createdBy === null ? [] : [{ ...transfer, direction: 'in' as const, cause: createdBy }]),
    ...(spentBy === null ? [] : [{ ...transfer, direction: 'out' as const, cause: spentBy }]),
  ]
}
