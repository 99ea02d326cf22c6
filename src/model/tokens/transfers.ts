import type { ContractRow, ContractRows, RowCause } from '../contracts/rows.js'
import { toOutpointKey, type Outpoint } from '../utxo.js'
import { ownerIn, type OwnersByFields, type TokenOwner } from './owner.js'
import { type TokenState, TRANSFER_TAG, TOKEN_FIELDS } from './token-program.js'
import { readPushes } from '../contracts/decode-call.js'
import type { ResolvedField } from '../contracts/resolved-type.js'
import { decodeFields } from '../contracts/value-codec.js'
import { fromHex, toHex } from '../hex.js'

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
  owners: OwnersByFields,
): readonly TokenTransfer[] {
  return changed.flatMap((row) => {
    const known = transfersOf(before.get(toOutpointKey(row.outpoint)), owners)
    return transfersOf(row, owners).filter(({ direction }) => !known.some((one) => one.direction === direction))
  })
}

const transfersOf = (row: ContractRow | undefined, owners: OwnersByFields): readonly TokenTransfer[] =>
  row === undefined
    ? []
    : movementsOf(row).flatMap(({ state, cause, direction, outpoint, covenantId, value }) => {
        const owner = ownerIn(owners, state)
        if (owner === undefined || cause === null) return []
        const { amount, extension_commitment: extensionCommitment } = state
        return [{ direction, outpoint, covenantId, extensionCommitment, owner, amount, value, cause }]
      })

/** What an output shows of its owner: that it was received, and that it was spent. */
export interface TokenMovement extends Pick<TokenTransfer, 'direction' | 'outpoint' | 'covenantId' | 'value'> {
  readonly state: TokenState
  /** Null for an output that the UTXO set had at the start, whose block is not known. */
  readonly cause: RowCause | null
  /** The DAA score of the block that accepted the output. */
  readonly blockDaaScore: bigint
}

/** The movements of an output; none where it is not proved that it is one of its token. */
export function movementsOf(row: ContractRow): readonly TokenMovement[] {
  const { outpoint, covenantId, value, isForeign, createdBy, spentBy, blockDaaScore } = row
  const state = row.state as TokenState | null // the program has these fields
  if (state === null || isForeign) return []
  const movement = { outpoint, covenantId, value, state, blockDaaScore }
  return [
    { ...movement, direction: 'in', cause: createdBy },
    ...(spentBy === null ? [] : [{ ...movement, direction: 'out' as const, cause: spentBy }]),
  ]
}

const PARAMS: readonly ResolvedField[] = [
  {
    name: 'states',
    type: {
      kind: 'array',
      item: { kind: 'struct', name: 'KCC20State', fields: TOKEN_FIELDS },
      length: undefined,
    },
  },
  { name: 'witness', type: { kind: 'bytes' } },
]

/**
 * The states that a transfer of any token of KCC-20 claims to create, by the signature script of the input that leads;
 * none for other scripts. Nothing proves them.
 */
export function claimedStates(signatureScript: string): readonly TokenState[] {
  const pushes = readPushes(fromHex(signatureScript)) ?? []
  const tag = pushes.at(-2)
  if (tag === undefined || toHex(tag.data) !== TRANSFER_TAG) return []
  const parts = pushes.slice(0, -2).values()
  const { states } = decodeFields(PARAMS, () => parts.next().value?.data ?? new Uint8Array(0))
  return states as readonly TokenState[] // of these fields
}
