import type { ResolvedField } from '../contracts/resolved-type.js'
import type { Outpoint } from '../utxo.js'

/** The state of an output of a token, as KCC-20 names its fields. */
export interface TokenState {
  /** In units of the token. */
  readonly amount: bigint
  /** 32 bytes, hex: what `owner_scheme` says. */
  readonly owner: string
  /** The byte of KCC-2 by which the owner authorizes. */
  readonly owner_scheme: number
  /** Who else may add to the output; 0: no one. */
  readonly borrow_scheme: number
  /** 32 bytes, hex. */
  readonly borrow_guard: string
  /** 32 bytes, hex: only amounts with the same one can be added. */
  readonly extension_commitment: string
}

/** An output of a token. */
export interface TokenOutput {
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly value: bigint
  readonly state: TokenState
  /** How many unconfirmed own calls it depends on; 0 for an output of the chain. */
  readonly depth: number
}

const BYTES_32 = { kind: 'fixed_bytes', length: 32 } as const
const BYTE = { kind: 'byte' } as const

/** The fields of the state, in the order of KCC-20. */
export const TOKEN_FIELDS: readonly ResolvedField[] = [
  { name: 'amount', type: { kind: 'int' } },
  { name: 'owner', type: BYTES_32 },
  { name: 'owner_scheme', type: BYTE },
  { name: 'borrow_scheme', type: BYTE },
  { name: 'borrow_guard', type: BYTES_32 },
  { name: 'extension_commitment', type: BYTES_32 },
]

/** Whether fields are those of KCC-20: their states are then `TokenState`. */
export const isTokenState = (fields: readonly ResolvedField[]): boolean => shapeOf(fields) === shapeOf(TOKEN_FIELDS)

const shapeOf = (fields: readonly ResolvedField[]): string =>
  fields.map(({ name, type }) => [name, type.kind, 'length' in type ? type.length : ''].join(':')).join()
